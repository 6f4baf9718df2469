import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ClaimCheck } from "@sinkwire/claim-check";
import {
  type EncodedMessage,
  forwardHeaders,
  type HeaderPair,
  type Hook,
  idempotencyKey,
  type PublishContext,
  type Verification,
} from "@sinkwire/message";
import type { DemoQueue } from "./demo-queue.js";
import type { Ledger } from "./ledger.js";
import type { Webhook } from "./webhook.js";

/** Every so many hooks, one is delivered twice, as queues do. */
const REDELIVER_EVERY = 25;

/** What the producer needs. */
export interface ProducerOptions {
  readonly queue: DemoQueue;
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
    const message = await publish(hook, {}, options);
    if (n === 0) await publishDamaged(message, options);
    if (n === 1) {
      ledger.staged.replays++;
      await publish(hook, { replay_id: "replay-1" }, options);
    }
    if (n % REDELIVER_EVERY === REDELIVER_EVERY - 1) {
      const { duplicate } = await queue.publish(message);
      ledger.staged[duplicate ? "deduplicated" : "redelivered"]++;
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
  { queue, claimCheck, ledger }: ProducerOptions,
): Promise<EncodedMessage> {
  const sha256 = createHash("sha256").update(hook.body).digest("hex");
  const tenant = hook.tenant_id ?? null;
  const flagged = hook.verification?.flagged === true;
  const message = await claimCheck.encode(hook, { instance: "demo", ...context });
  const { id, source_id, dedupe_key = null } = hook;
  const keyFields = { id, source_id, tenant_id: tenant, dedupe_key, replay_id: context.replay_id ?? null };
  const key = idempotencyKey(keyFields, { includeReplay: true });
  ledger.sent.set(key, { tenant, sha256, flagged });
  if (flagged) ledger.staged.flagged++;
  const counts = ledger.of(tenant);
  counts.hooks++;
  counts.bytes += hook.body.length;
  counts.droppedHeaders += countDropped(hook.headers ?? []);
  counts[message.form === "inline" ? "inline" : "claims"]++;
  await queue.publish(message);
  return message;
}

/** Names among the request headers that are not forwarded. */
function countDropped(headers: readonly HeaderPair[]): number {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return names.size - forwardHeaders(headers).headers.length;
}

/** Publishes a message that was cut off, and one beside the metadata of another where there are any. */
async function publishDamaged(message: EncodedMessage, { queue, ledger }: ProducerOptions): Promise<void> {
  const { bytes, head } = message;
  if (head === undefined) return;
  await queue.publish({ ...message, bytes: bytes.subarray(0, -10), head: { ...head, id: "hook-cut-off" } });
  ledger.staged.damaged++;
  if (!queue.carriesMetadata) return;
  await queue.publish({ ...message, head: { ...head, id: "hook-of-somebody-else" } });
  ledger.staged.damaged++;
}

function forged(secret: Uint8Array): Uint8Array {
  return createHash("sha256").update(secret).digest();
}
