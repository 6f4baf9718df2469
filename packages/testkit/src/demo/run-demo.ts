import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaimCheck, createGateway, createRedeemClient } from "@sinkwire/claim-check";
import { fileStore, gatewayListener } from "@sinkwire/claim-check/node";
import { consume } from "./consume.js";
import type { DemoQueue } from "./demo-queue.js";
import { folderWebhooks, largestFileBytes } from "./folder-webhooks.js";
import { githubWebhooks } from "./github-webhooks.js";
import { Ledger } from "./ledger.js";
import { memoryQueue } from "./memory-queue.js";
import { produce } from "./produce.js";

/** What to run the demo on. */
export interface DemoOptions {
  /** A folder whose files are the bodies. Default: GitHub's example payloads. */
  readonly input?: string | undefined;
  /** What the messages go through; it is closed at the end. Default: an in-process queue. */
  readonly queue?: DemoQueue | undefined;
}

/**
 * Sends real webhooks through the wire format and back: encoded, large bodies checked in to a folder, queued with
 * metadata, read, deduplicated, redeemed over HTTP on loopback, and compared with what went in.
 *
 * @returns what was counted; `losses` is empty when everything came back
 */
export async function runDemo({ input, queue = memoryQueue() }: DemoOptions = {}): Promise<Ledger> {
  const folder = await mkdtemp(join(tmpdir(), "sinkwire-demo-"));
  const store = fileStore(folder);
  const server = createServer(gatewayListener(createGateway({ store }))).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const secret = randomBytes(32);
    const ledger = new Ledger();
    const claimCheck = createClaimCheck({
      store,
      ...(input === undefined ? {} : { maxBytes: largestFileBytes(input) }),
    });
    const redeem = createRedeemClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const webhooks = input === undefined ? githubWebhooks(secret) : folderWebhooks(input);
    const closing = produce(webhooks, { queue, claimCheck, ledger, secret }).finally(() => queue.end());
    await Promise.all([closing, consume({ queue, redeem, ledger }).finally(() => queue.end())]);
    ledger.settle();
    return ledger;
  } finally {
    await queue.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
