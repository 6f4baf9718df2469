import type { Command } from "@commander-js/extra-typings";
import { type DecodeResult, type Message, serializeMessage, tryDecodeMessage } from "@sinkwire/message";
import { describeMessage } from "../explain/describe-message.js";
import { detectLines } from "../io/detect-lines.js";
import { EXIT, type ExitCode, UsageError } from "../io/exit.js";
import { DEFAULT_MAX_BYTES, parseCount } from "../io/flags.js";
import { type Input, openInput, readAll } from "../io/input.js";
import { readLines } from "../io/lines.js";
import type { Output } from "../io/output.js";
import { createProgress } from "../io/progress.js";
import { type ClaimPlace, checkClaimPlace, createRedeemer } from "../io/redeemer.js";
import { columns, printable, shown } from "../io/style.js";
import { summary } from "../io/summary.js";
import type { Shell } from "../shell.js";

const EXAMPLES = `
Examples:
  $ sinkwire decode message.json
  $ kcat -C -t hooks -c 1 | sinkwire decode --json | jq -r .idempotency_key
  $ sinkwire decode --body message.json > payload.json
  $ sinkwire decode --body --gateway http://127.0.0.1:8080 claim-message.json > payload.json
  $ zcat hooks.ndjson.gz | sinkwire decode --ndjson --json | jq -r 'select(.error) | .line'

Several messages, one a line, are recognised when the first line is a JSON text; --ndjson says so in any case.
With --json each gives one line, in order: the message, or {"line": …, "error": …}.`;

interface DecodeFlags extends ClaimPlace {
  readonly json?: true | undefined;
  readonly body?: true | undefined;
  readonly ndjson?: true | undefined;
  readonly maxBytes: number;
}

/** Adds `decode`: reads messages and shows what they say. */
export function addDecode(program: Command, shell: Shell): void {
  program
    .command("decode")
    .description("Read a message, or a stream of them, and show what it says.")
    .argument("[file]", "a file; standard input when it is left out or -")
    .option("--json", "write the message as one line of JSON")
    .option("--body", "write the raw body and nothing else")
    .option("--ndjson", "the input is one message a line")
    .option("--max-bytes <n>", "largest message, in bytes", parseCount, DEFAULT_MAX_BYTES)
    .option("--gateway <url>", "where --body redeems a claim")
    .option("--store <folder>", "the file store in which --body finds a claim")
    .addHelpText("after", EXAMPLES)
    .action(async (file, flags) => {
      shell.json = flags.json === true;
      shell.exitCode = await decode(file, flags, shell);
    });
}

async function decode(file: string | undefined, flags: DecodeFlags, shell: Shell): Promise<ExitCode> {
  if (flags.body === true && (flags.json === true || flags.ndjson === true)) {
    throw new UsageError("--body writes the bytes of one body: it goes neither with --json nor with --ndjson");
  }
  checkClaimPlace(flags);
  const input = openInput(file, shell.signal);
  const { ndjson, chunks } =
    flags.ndjson === true || flags.body === true
      ? { ndjson: flags.ndjson === true, chunks: input.chunks }
      : await detectLines(input.chunks, flags.maxBytes);
  return ndjson ? decodeLines({ ...input, chunks }, flags, shell) : decodeOne({ ...input, chunks }, file, flags, shell);
}

async function decodeOne(input: Input, file: string | undefined, flags: DecodeFlags, shell: Shell): Promise<ExitCode> {
  const bytes = await readAll(input, flags.maxBytes);
  const result = tryDecodeMessage(bytes, { maxBytes: flags.maxBytes });
  if (!result.ok) {
    const hint = file === undefined || file === "-" ? "sinkwire explain" : `sinkwire explain ${file}`;
    shell.err.write(`${shell.errStyle("red", "✗")} ${printable(refusalText(result))}\n  → ${printable(hint)}\n`);
    if (flags.json === true) await shell.out.line(JSON.stringify({ error: result.error }));
    return EXIT.refused;
  }
  const { message } = result;
  if (flags.body === true) {
    await shell.out.write(await bodyOf(message, flags, shell.signal));
  } else if (flags.json === true) {
    await shell.out.line(Buffer.from(serializeMessage(message)).toString());
  } else {
    for (const line of messageLines(message, bytes, shell)) await shell.out.line(line);
  }
  return EXIT.ok;
}

async function decodeLines(input: Input, flags: DecodeFlags, shell: Shell): Promise<ExitCode> {
  const { out, err, errStyle, signal } = shell;
  const progress = createProgress(err, out.isTerminal, input.size);
  let messages = 0;
  let refused = 0;
  for await (const { number, bytes, cut } of readLines(flushing(input.chunks, out), flags.maxBytes)) {
    signal.throwIfAborted();
    if (bytes.length === 0) continue;
    const result = tryDecodeMessage(bytes, { maxBytes: flags.maxBytes });
    progress.add(bytes.length + 1, !result.ok);
    let wait: Promise<void> | undefined;
    if (result.ok) {
      messages++;
      wait = out.line(
        flags.json === true ? Buffer.from(serializeMessage(result.message)).toString() : summary(result.message),
      );
    } else {
      refused++;
      if (flags.json === true) {
        wait = out.line(JSON.stringify({ line: number, error: result.error }));
      } else {
        progress.clear();
        err.write(
          `${errStyle("red", "✗")} line ${number}: ${printable(refusalText(result))}${cut ? " (the rest of the line was not kept)" : ""}\n`,
        );
      }
    }
    if (wait !== undefined) await wait;
  }
  progress.clear();
  await out.flush(); // a last line without its end
  if (flags.json !== true) {
    const hint = refused === 0 ? "" : "; sinkwire explain --line N says why";
    err.write(`${messages} messages, ${refused} refused${hint}\n`);
  }
  return refused === 0 ? EXIT.ok : EXIT.refused;
}

/** Writes what a chunk gave before the next is waited for: a live stream is shown as it comes. */
async function* flushing(chunks: AsyncIterable<Uint8Array>, out: Output): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    await out.flush();
  }
}

function refusalText({ error }: Extract<DecodeResult, { ok: false }>): string {
  return `${error.code}: ${error.message}`;
}

/** Most lines and characters of a body that are shown. */
const PREVIEW_LINES = 12;
const PREVIEW_LENGTH = 2_000;

function messageLines(message: Message, bytes: Uint8Array, { style }: Shell): string[] {
  const { facts } = describeMessage(message, bytes, Buffer.from(bytes).toString());
  const lines = columns(facts.map(([label, value]) => [label, value]));
  const headers = Object.entries(message.headers).map(([name, value]) => [`  ${shown(name)}`, shown(value)]);
  if (headers.length > 0) lines.push("", style("bold", "headers"), ...columns(headers));
  if (message.body.form === "inline")
    lines.push("", style("bold", "body"), ...preview(message.body.bytes).map((line) => `  ${line}`));
  return lines;
}

function preview(body: Uint8Array): string[] {
  const text = Buffer.from(body.subarray(0, PREVIEW_LENGTH)).toString();
  if (text === "") return ["(empty)"];
  if (/[^\P{Cc}\t\n\r]/u.test(text)) return [`(${body.length} bytes that are not text: --body writes them)`];
  const lines = text.split(/\r?\n/);
  const cut = body.length > PREVIEW_LENGTH || lines.length > PREVIEW_LINES;
  return [...lines.slice(0, PREVIEW_LINES).map(printable), ...(cut ? ["… (--body writes all of it)"] : [])];
}

async function bodyOf(message: Message, flags: DecodeFlags, signal: AbortSignal): Promise<Uint8Array> {
  if (message.body.form === "inline") return message.body.bytes;
  return createRedeemer(flags).body(message, { signal });
}
