import { type Command, Option } from "@commander-js/extra-typings";
import { createClaimCheck } from "@sinkwire/claim-check";
import { fileStore } from "@sinkwire/claim-check/node";
import {
  type Claim,
  type EncodedMessage,
  type EncodeOptions,
  encodeMessage,
  type Hook,
  type PublishContext,
} from "@sinkwire/message";
import { UsageError } from "../io/exit.js";
import { DEFAULT_MAX_BYTES, parseCount, parseHeader, parseRepeated, parseTime } from "../io/flags.js";
import { openInput, readAll } from "../io/input.js";
import type { Shell } from "../shell.js";

const EXAMPLES = `
Examples:
  $ sinkwire encode payload.json --id evt_1 --source github --tenant acme \\
      --content-type application/json --header 'X-GitHub-Event: push'
  $ sinkwire encode - --id evt_1 --source github < payload.json | kcat -P -t hooks
  $ sinkwire encode large.json --id evt_2 --source github --tenant acme --store ./claims
  $ sinkwire encode large.json --id evt_2 --source github --tenant acme \\
      --claim-ref urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002 --claim-sha256 "$(sha256sum < large.json | cut -c -64)"

The canonical bytes and a newline are written; --no-newline leaves the newline out. Credentials among the headers
(Authorization, Cookie …) are never forwarded.`;

/** Adds `encode`: writes the message of a payload. */
export function addEncode(program: Command, shell: Shell): void {
  program
    .command("encode")
    .description("Write the message of a webhook payload.")
    .argument("<payload>", "a file that holds the body's bytes; - for standard input")
    .requiredOption("--id <id>", "the hook's id")
    .requiredOption("--source <id>", "the source it came from")
    .option("--tenant <id>", "the tenant")
    .option("--received-at <time>", "Unix milliseconds or RFC 3339; now when it is left out", parseTime)
    .option("--content-type <type>", "the payload's content type")
    .option("--dedupe-key <key>", "the provider's own id of the event")
    .option("--header <header>", "a request header, 'Name: value'; may be repeated", parseHeader)
    .option("--forward <name>", "forward only headers of this name; may be repeated", parseRepeated)
    .addOption(
      new Option("--verification <status>", "how the hook was verified").choices(["ok", "failed", "skipped"] as const),
    )
    .option("--flagged", "the failed check was let through")
    .option("--traceparent <value>", "W3C trace context")
    .option("--tracestate <value>", "W3C trace context")
    .option("--instance <name>", "the instance that publishes")
    .option("--region <name>", "the region of that instance")
    .option("--ordering-key <key>", "the ordering key")
    .option("--replay-id <id>", "the id of a deliberate replay")
    .option("--inline-max-bytes <n>", "largest body that rides inline (default: 65536)", parseCount)
    .option("--max-bytes <n>", "largest message (default: 1048576)", parseCount)
    .option("--claim-ref <ref>", "the reference of a body that was checked in")
    .option("--claim-sha256 <hex>", "its digest")
    .option("--store <folder>", "a file store to check a large body in to")
    .option("--no-newline", "write the canonical bytes alone")
    .option("--json", "write one line of JSON about the message, with the message in it")
    .addHelpText("after", EXAMPLES)
    .action(async (payload, flags) => {
      shell.json = flags.json === true;
      const hook: Hook = {
        id: flags.id,
        source_id: flags.source,
        tenant_id: flags.tenant,
        received_at: flags.receivedAt ?? Date.now(),
        content_type: flags.contentType,
        body: await readPayload(payload, shell.signal),
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
      const limits = { inlineMaxBytes: flags.inlineMaxBytes, maxBytes: flags.maxBytes };
      const claim = claimOf(flags.claimRef, flags.claimSha256);
      const encoded = await encode(hook, context, { ...limits, claim }, flags.store, shell.signal);
      await write(encoded, flags.json === true, flags.newline, shell);
    });
}

function encode(
  hook: Hook,
  context: PublishContext,
  options: EncodeOptions,
  store: string | undefined,
  signal: AbortSignal,
): EncodedMessage | Promise<EncodedMessage> {
  if (store === undefined) return encodeMessage(hook, context, options);
  if (options.claim !== null) throw new UsageError("--store checks the body in: it does not go with --claim-ref");
  return createClaimCheck({ store: fileStore(store) }).encode(hook, context, { ...options, signal });
}

async function write(
  { bytes, form, size, dropped }: EncodedMessage,
  json: boolean,
  newline: boolean,
  { out }: Shell,
): Promise<void> {
  if (json) {
    const message: unknown = JSON.parse(Buffer.from(bytes).toString());
    await out.line(JSON.stringify({ form, size, dropped, message }));
    return;
  }
  await out.write(bytes);
  if (newline) await out.write("\n");
}

async function readPayload(file: string, signal: AbortSignal): Promise<Uint8Array> {
  const body = await readAll(openInput(file, signal), DEFAULT_MAX_BYTES);
  if (body.length > DEFAULT_MAX_BYTES) throw new UsageError(`the payload is over ${DEFAULT_MAX_BYTES} bytes`);
  return body;
}

function verificationOf(
  status: "ok" | "failed" | "skipped" | undefined,
  flagged: true | undefined,
): Hook["verification"] {
  if (status === undefined && flagged === true) throw new UsageError("--flagged needs --verification");
  return status === undefined ? null : { status, flagged: flagged === true };
}

function claimOf(ref: string | undefined, sha256: string | undefined): Claim | null {
  if (ref === undefined && sha256 === undefined) return null;
  if (ref === undefined || sha256 === undefined) throw new UsageError("--claim-ref and --claim-sha256 go together");
  return { ref, sha256 };
}
