import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { createClaimCheck } from "@sinkwire/claim-check";
import { fileStore } from "@sinkwire/claim-check/node";
import {
  type Claim,
  type EncodedMessage,
  encodeMessage,
  type Hook,
  isSinkwireError,
  type PublishContext,
} from "@sinkwire/message";
import type { Shell } from "../shell.js";
import { UsageError } from "./exit.js";
import { DEFAULT_MAX_BYTES, parseCount, parseHeader, parseRepeated, parseTime } from "./flags.js";
import { openInput, readAll } from "./input.js";

type Status = NonNullable<Hook["verification"]>["status"];

/** What flags say of a hook. */
export interface HookFlags {
  readonly id?: string;
  readonly source?: string;
  readonly tenant?: string;
  readonly receivedAt?: number;
  readonly contentType?: string;
  readonly dedupeKey?: string;
  readonly header?: readonly (readonly [string, string])[];
  readonly forward?: readonly string[];
  readonly verification?: Status;
  readonly flagged?: true;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly instance?: string;
  readonly region?: string;
  readonly orderingKey?: string;
  readonly replayId?: string;
  readonly inlineMaxBytes?: number;
  readonly maxBytes?: number;
  readonly claimRef?: string;
  readonly claimSha256?: string;
  readonly store?: string;
}

const OPTIONS: readonly Option[] = [
  new Option("--id <id>", "the hook's id"),
  new Option("--source <id>", "the source it came from"),
  new Option("--tenant <id>", "the tenant"),
  new Option("--received-at <time>", "Unix milliseconds or RFC 3339; now when it is left out").argParser(parseTime),
  new Option("--content-type <type>", "the payload's content type"),
  new Option("--dedupe-key <key>", "the provider's own id of the event"),
  new Option("--header <header>", "a request header, 'Name: value'; may be repeated").argParser(parseHeader),
  new Option("--forward <name>", "forward only headers of this name; may be repeated").argParser(parseRepeated),
  new Option("--verification <status>", "how the hook was verified").choices(["ok", "failed", "skipped"]),
  new Option("--flagged", "the failed check was let through"),
  new Option("--traceparent <value>", "W3C trace context"),
  new Option("--tracestate <value>", "W3C trace context"),
  new Option("--instance <name>", "the instance that publishes"),
  new Option("--region <name>", "the region of that instance"),
  new Option("--ordering-key <key>", "the ordering key"),
  new Option("--replay-id <id>", "the id of a deliberate replay"),
  new Option("--inline-max-bytes <n>", "largest body that rides inline (default: 65536)").argParser(parseCount),
  new Option("--max-bytes <n>", "largest message (default: 1048576)").argParser(parseCount),
  new Option("--claim-ref <ref>", "the reference of a body that was checked in"),
  new Option("--claim-sha256 <hex>", "its digest"),
  new Option("--store <folder>", "a file store to check a large body in to"),
];

/** What has to be given for a hook. */
const REQUIRED: readonly string[] = ["id", "source"];

/**
 * Adds the flags that say what a payload's hook is.
 *
 * @param options - `required`: whether there is always a hook, or only with `--id`
 */
export function addHookFlags(command: CommandUnknownOpts, options: { readonly required: boolean }): void {
  for (const option of OPTIONS) {
    const { flags, description, parseArg, argChoices } = option;
    const own = new Option(flags, description).makeOptionMandatory(
      options.required && REQUIRED.includes(option.attributeName()),
    );
    if (argChoices !== undefined) own.choices(argChoices);
    else if (parseArg !== undefined) own.argParser(parseArg);
    command.addOption(own);
  }
}

/**
 * The flags of {@link addHookFlags} that were given.
 *
 * @throws {@link UsageError} for those of a hook without `--id`, and for `--id` without `--source`
 */
export function hookFlagsOf(command: CommandUnknownOpts): HookFlags {
  const all: Readonly<Record<string, unknown>> = command.opts();
  const given = OPTIONS.filter((option) => all[option.attributeName()] !== undefined);
  const missing = REQUIRED.find((name) => all[name] === undefined);
  if (given[0] !== undefined && missing !== undefined) {
    throw new UsageError(`${given[0].long} describes the hook of a payload: it goes with --${missing}`);
  }
  return Object.fromEntries(given.map((option) => [option.attributeName(), all[option.attributeName()]]));
}

/**
 * Encodes a payload as its flags say, and checks it in where `--store` is given.
 *
 * @param file - the payload; `-` for standard input
 * @throws {@link UsageError} for flags that do not go together, and what `encodeMessage` and the claim check throw
 */
export async function encodeHook(flags: HookFlags, file: string | undefined, shell: Shell): Promise<EncodedMessage> {
  const hook: Hook = {
    id: flags.id ?? "",
    source_id: flags.source ?? "",
    tenant_id: flags.tenant,
    received_at: flags.receivedAt ?? Date.now(),
    content_type: flags.contentType,
    body: await readPayload(file, shell.signal),
    dedupe_key: flags.dedupeKey,
    headers: flags.header,
    verification: verificationOf(flags.verification, flags.flagged),
    traceparent: flags.traceparent,
    tracestate: flags.tracestate,
  };
  const context: PublishContext = {
    instance: flags.instance,
    region: flags.region,
    replay_id: flags.replayId,
    ordering_key: flags.orderingKey,
    forward: flags.forward,
  };
  const claim = claimOf(flags.claimRef, flags.claimSha256);
  const options = { inlineMaxBytes: flags.inlineMaxBytes, maxBytes: flags.maxBytes, claim };
  const { store } = flags;
  if (store !== undefined && claim !== null) {
    throw new UsageError("--store checks the body in: it does not go with --claim-ref");
  }
  try {
    if (store === undefined) return encodeMessage(hook, context, options);
    const claims = createClaimCheck({ store: fileStore(store) });
    return await claims.encode(hook, context, { ...options, signal: shell.signal });
  } catch (error) {
    shell.advice = adviceFor(error, flags);
    throw error;
  }
}

/** Which flag is the way out of an error; null when none is. */
function adviceFor(error: unknown, { store, tenant }: HookFlags): string | null {
  const withTenant = tenant === undefined ? " and --tenant ID" : "";
  if (isSinkwireError(error, "claim_required")) return `check the body in: --store FOLDER${withTenant}`;
  if (store !== undefined && isSinkwireError(error, "invalid_hook") && error.field === "tenant_id") {
    return "a body that is checked in belongs to a tenant: --tenant ID, of 1 to 64 of A-Z a-z 0-9 _ -";
  }
  return null;
}

async function readPayload(file: string | undefined, signal: AbortSignal): Promise<Uint8Array> {
  const body = await readAll(openInput(file, signal), DEFAULT_MAX_BYTES);
  if (body.length > DEFAULT_MAX_BYTES) throw new UsageError(`the payload is over ${DEFAULT_MAX_BYTES} bytes`);
  return body;
}

function verificationOf(status: Status | undefined, flagged: true | undefined): Hook["verification"] {
  if (status === undefined && flagged === true) throw new UsageError("--flagged needs --verification");
  return status === undefined ? null : { status, flagged: flagged === true };
}

function claimOf(ref: string | undefined, sha256: string | undefined): Claim | null {
  if (ref === undefined && sha256 === undefined) return null;
  if (ref === undefined || sha256 === undefined) throw new UsageError("--claim-ref and --claim-sha256 go together");
  return { ref, sha256 };
}
