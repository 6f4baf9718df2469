import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ClaimCheck } from "@sinkwire/claim-check";
import {
  attributesSet,
  forwardHeaders,
  type HeaderPair,
  type Hook,
  headersSet,
  idempotencyKey,
  type PublishContext,
  type Verification,
} from "@sinkwire/message";
import type { Ledger } from "./ledger.js";
import type { Queue, QueueRecord } from "./queue.js";
import type { Webhook } from "./webhook.js";

/** Every so many hooks, one is delivered twice, as queues do. */
const REDELIVER_EVERY = 25;

/** What the producer needs. */
export interface ProducerOptions {
  readonly queue: Queue;
  readonly claimCheck: ClaimCheck;
  readonly ledger: Ledger;
  /** What GitHub's bodies are signed with. */
  readonly secret: Uint8Array;
}

/**
 * Takes webhooks in and puts their messages on the queue. On the way it does what happens in real life: the first hook
 * comes with a forged signature and is let through flagged, the second is replayed, some are delivered twice, and two
 * deliveries are damaged.
 */
export async function produce(webhooks: Iterable<Webhook>, options: ProducerOptions): Promise<void> {
  const { queue, ledger } = options;
  let n = 0;
  for (const webhook of webhooks) {
    const flagged = n === 0;
    const hook = receive(webhook, flagged ? forged(options.secret) : options.secret, flagged);
    const record = await publish(hook, {}, n, options);
    if (n === 0) await putDamaged(record.body, hook, options);
    if (n === 1) {
      ledger.staged.replays++;
      await publish(hook, { replay_id: "replay-1" }, n, options);
    }
    if (n % REDELIVER_EVERY === REDELIVER_EVERY - 1) {
      ledger.staged.redelivered++;
      await queue.put(record);
    }
    n++;
  }
}

function receive(
  { source, tenant, event, headers, body, contentType }: Webhook,
  secret: Uint8Array,
  accept: boolean,
): Hook {
  return {
    id: `hook-${event}`,
    source_id: source,
    tenant_id: tenant,
    received_at: Date.now(),
    content_type: contentType,
    body,
    dedupe_key: event,
    headers,
    verification: verify(headers, body, secret, accept),
  };
}

/** Checks GitHub's signature where there is one; `accept` lets a wrong one through, flagged. */
function verify(headers: readonly HeaderPair[], body: Uint8Array, secret: Uint8Array, accept: boolean): Verification {
  const signature = headers.find(([name]) => name === "X-Hub-Signature-256")?.[1];
  if (signature === undefined) return { status: "skipped", flagged: accept };
  const given = Buffer.from(signature);
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const ok = given.length === expected.length && timingSafeEqual(given, expected);
  return { status: ok ? "ok" : "failed", flagged: !ok && accept };
}

async function publish(
  hook: Hook,
  context: PublishContext,
  n: number,
  { queue, claimCheck, ledger }: ProducerOptions,
): Promise<QueueRecord> {
  const sha256 = createHash("sha256").update(hook.body).digest("hex");
  const tenant = hook.tenant_id ?? null;
  const flagged = hook.verification?.flagged === true;
  const { bytes, form } = await claimCheck.encode(hook, { instance: "demo", ...context });
  const { id, source_id, dedupe_key = null } = hook;
  const keyFields = { id, source_id, tenant_id: tenant, dedupe_key, replay_id: context.replay_id ?? null };
  const key = idempotencyKey(keyFields, { includeReplay: true });
  ledger.sent.set(key, { tenant, sha256, flagged });
  if (flagged) ledger.staged.flagged++;
  const counts = ledger.of(tenant);
  counts.hooks++;
  counts.bytes += hook.body.length;
  counts.droppedHeaders += countDropped(hook.headers ?? []);
  counts[form === "inline" ? "inline" : "claims"]++;
  const record = { metadata: metadataOf(hook, context, n), body: bytes };
  await queue.put(record);
  return record;
}

/** Names among the request headers that are not forwarded. */
function countDropped(headers: readonly HeaderPair[]): number {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return names.size - forwardHeaders(headers).headers.length;
}

/** Metadata as brokers' clients give it: Kafka's headers are Buffers by name, SQS's attributes are typed. */
function metadataOf(hook: Hook, context: PublishContext, n: number): unknown {
  if (n % 2 === 0) return new Map(headersSet(hook, context).map(([name, value]) => [name, Buffer.from(value)]));
  const attributes = attributesSet(hook, context);
  return Object.fromEntries(attributes.map(([name, value]) => [name, { DataType: "String", StringValue: value }]));
}

/** Puts a message that was cut off, and one beside the metadata of another. */
async function putDamaged(body: Uint8Array, hook: Hook, { queue, ledger }: ProducerOptions): Promise<void> {
  ledger.staged.damaged += 2;
  await queue.put({ metadata: headersSet(hook), body: body.subarray(0, body.length - 10) });
  await queue.put({ metadata: headersSet({ ...hook, id: "hook-of-somebody-else" }), body });
}

function forged(secret: Uint8Array): Uint8Array {
  return createHash("sha256").update(secret).digest();
}
