import type { Command } from "@commander-js/extra-typings";
import { isSinkwireError, type Message, serializeMessage } from "@sinkwire/message";
import { EXIT, type ExitCode, UsageError } from "../io/exit.js";
import { parseCount, parseSince } from "../io/flags.js";
import { type ClaimPlace, checkClaimPlace, createRedeemer } from "../io/redeemer.js";
import { printable, shown } from "../io/style.js";
import { summary } from "../io/summary.js";
import type { Shell } from "../shell.js";
import { ADDRESSES, type Chosen, chooseTransport } from "../transports/index.js";
import type { Tailed } from "../transports/transport.js";

const EXAMPLES = `
Addresses:
${ADDRESSES}

Examples:
  $ sinkwire tail nats://127.0.0.1/hooks
  $ sinkwire tail --since 10m --count 5 redis://127.0.0.1/hooks
  $ sinkwire tail --since beginning --no-follow --json nats://127.0.0.1/hooks > hooks.ndjson
  $ sinkwire tail --redeem --gateway http://127.0.0.1:8080 --json redis://127.0.0.1/hooks | jq -r .body_base64

It looks on and takes nothing from a consumer. Where that is impossible it does nothing without --take, and with it a
message is acknowledged once it is printed: it is then gone for the others. It runs until SIGINT or SIGTERM and then ends
with 0, or with 1 when something that passed was no message. With --redeem each claim is fetched and its digest
verified; --json then writes the message with its body inline.`;

interface TailFlags extends ClaimPlace {
  readonly json?: true | undefined;
  readonly redeem?: true | undefined;
  readonly take?: true | undefined;
  readonly count?: number | undefined;
  readonly since?: number | undefined;
  readonly follow: boolean;
}

/** Adds `tail`: prints messages as they pass. */
export function addTail(program: Command, shell: Shell): void {
  program
    .command("tail")
    .description("Print messages as they pass, without taking them from a consumer.")
    .argument("<url>", "where they pass")
    .option("--since <time>", "start there instead of with what comes next: beginning, 10m, or a time", parseSince)
    .option("--count <n>", "end after so many messages", parseCount)
    .option("--no-follow", "end when nothing more is there")
    .option("--take", "take messages where they cannot be looked at, and acknowledge them")
    .option("--redeem", "fetch and verify the bodies of claims")
    .option("--gateway <url>", "where --redeem redeems claims")
    .option("--store <folder>", "the file store in which --redeem finds claims")
    .option("--json", "write each message as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (url, flags) => {
      shell.json = flags.json === true;
      const chosen = chooseTransport(url);
      checkFlags(flags);
      shell.exitCode = await tail(chosen, flags, shell);
    });
}

function checkFlags(flags: TailFlags): void {
  checkClaimPlace(flags);
  if (flags.count === 0) throw new UsageError("--count is at least 1");
  const place = flags.gateway ?? flags.store;
  if (flags.redeem === true && place === undefined) {
    throw new UsageError("--redeem needs to know where claims are: --gateway URL or --store FOLDER");
  }
  if (flags.redeem !== true && place !== undefined) throw new UsageError("--gateway and --store go with --redeem");
}

async function tail({ entry, address }: Chosen, flags: TailFlags, shell: Shell): Promise<ExitCode> {
  const { out, err, errStyle } = shell;
  const transport = await entry.load();
  const reader = createReader(flags, shell.signal);
  const until = new AbortController();
  const signal = AbortSignal.any([shell.signal, until.signal]);
  const ready = (): void => void err.write(`tailing ${address.shown} (${entry.name}); Ctrl-C ends it\n`);
  const options = { since: flags.since ?? null, follow: flags.follow, take: flags.take === true, signal, ready };
  let messages = 0;
  let refused = 0;
  let unavailable = 0;
  for await (const tailed of transport.tail(address, options)) {
    const { line, fault, retryable } = await reader(tailed);
    if (fault === null) messages++;
    else {
      if (retryable) unavailable++;
      else refused++;
      err.write(`${errStyle("red", "✗")} ${printable(fault)}\n`);
    }
    if (line !== null) await out.line(line);
    await out.flush();
    await tailed.delivery?.ack();
    if (messages + refused + unavailable === flags.count) break;
  }
  err.write(`${messages} messages, ${refused} refused${unavailable === 0 ? "" : `, ${unavailable} not redeemed`}\n`);
  if (refused > 0) return EXIT.refused;
  return unavailable > 0 ? EXIT.unavailable : EXIT.ok;
}

/** What is printed for a message that passed. */
interface Printed {
  /** For standard output; null for nothing. */
  readonly line: string | null;
  /** For standard error: what is wrong; null when nothing is. */
  readonly fault: string | null;
  readonly retryable: boolean;
}

function createReader(flags: TailFlags, signal: AbortSignal): (tailed: Tailed) => Promise<Printed> {
  const json = flags.json === true;
  const redeemer = flags.redeem === true ? createRedeemer(flags) : null;
  const failed = (
    position: string,
    id: string | null,
    error: { code: string; message: string; retryable: boolean },
  ): Printed => {
    const { code, message, retryable } = error;
    const line = json ? JSON.stringify({ position, id, error: { code, message, retryable } }) : null;
    return { line, fault: `${shown(position)}: ${id === null ? "" : `${shown(id)}: `}${code}: ${message}`, retryable };
  };
  return async ({ read, position }) => {
    if (read.kind === "invalid") return failed(position, null, read.error);
    if (read.kind === "tombstone") {
      return {
        line: json ? JSON.stringify({ position, tombstone: true }) : `${shown(position)}  tombstone`,
        fault: null,
        retryable: false,
      };
    }
    let message: Message = read.message;
    if (redeemer !== null && message.body.form === "claim") {
      try {
        message = { ...message, body: { form: "inline", bytes: await redeemer.body(message, { signal }) } };
      } catch (error) {
        if (!isSinkwireError(error)) throw error;
        return failed(position, message.id, error);
      }
    }
    const line = json ? Buffer.from(serializeMessage(message)).toString() : `${shown(position)}  ${summary(message)}`;
    return { line, fault: null, retryable: false };
  };
}
