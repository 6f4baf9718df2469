import { createHash } from "node:crypto";
import type { RedeemClient } from "@sinkwire/claim-check";
import type { DeliveryRead } from "@sinkwire/delivery";
import { idempotencyKey, type Message } from "@sinkwire/message";
import type { DemoQueue } from "./demo-queue.js";
import type { Ledger } from "./ledger.js";

/** Headers that must never reach a consumer. */
const NEVER: readonly string[] = ["authorization", "cookie", "host", "content-length"];

/** What the consumer needs. */
export interface ConsumerOptions {
  readonly queue: DemoQueue;
  readonly redeem: RedeemClient;
  readonly ledger: Ledger;
}

/** Reads the queue to its end: refuses, deduplicates, redeems and holds each body against what was sent. */
export async function consume({ queue, redeem, ledger }: ConsumerOptions): Promise<void> {
  for await (const { read, settle } of queue.deliveries()) {
    await take(read, redeem, ledger);
    await settle();
  }
}

async function take(read: DeliveryRead, redeem: RedeemClient, ledger: Ledger): Promise<void> {
  if (read.kind !== "message") {
    ledger.of(read.metadata.tenant_id).refused++;
    return;
  }
  const { message } = read;
  const key = idempotencyKey(message, { includeReplay: true });
  if (ledger.handled.has(key)) {
    ledger.of(message.tenant_id).duplicates++;
    return;
  }
  ledger.handled.add(key);
  check(key, message, await redeem.body(message), ledger);
}

function check(key: string, message: Message, body: Uint8Array, ledger: Ledger): void {
  const sent = ledger.sent.get(key);
  const lose = (why: string): number => ledger.losses.push(`${key}: ${why}`);
  if (sent === undefined) {
    lose("was never sent");
    return;
  }
  if (createHash("sha256").update(body).digest("hex") !== sent.sha256) lose("came with another body");
  if (message.tenant_id !== sent.tenant) lose("came under another tenant");
  const flagged = message.verification?.flagged === true;
  if (flagged !== sent.flagged) lose("came with another verification");
  if (flagged) ledger.seen.flagged++;
  if (message.replay_id !== null) ledger.seen.replays++;
  for (const name of NEVER) if (Object.hasOwn(message.headers, name)) lose(`carries the header ${name}`);
}
