import { createHash, createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { HeaderPair } from "@sinkwire/message";
import { tenantOf, type Webhook } from "./webhook.js";

interface EventExamples {
  readonly name: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

/** Every so many hooks, one is a push of many commits. */
const LARGE_EVERY = 16;
/** What the bodies of those grow to, in bytes, in turn: just over the inline limit up to megabytes. */
const LARGE_BYTES: readonly number[] = [70_000, 300_000, 1_200_000, 5_000_000];

/**
 * GitHub's own example payloads, with the headers that GitHub sends and, as many endpoints see them, credentials that a
 * proxy added.
 *
 * @param secret - what the bodies are signed with
 */
export function* githubWebhooks(secret: Uint8Array): Generator<Webhook> {
  const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples/api.github.com/index.json");
  const events = JSON.parse(readFileSync(file, "utf8")) as readonly EventExamples[];
  const all = events.flatMap(({ name, examples }) => examples.map((payload) => ({ name, payload })));
  const push = all.find(({ name }) => name === "push");
  for (const [n, { name, payload }] of all.entries()) {
    yield webhook(n, name, Buffer.from(JSON.stringify(payload)), secret);
    if (n % LARGE_EVERY === 0 && push !== undefined) {
      const bytes = LARGE_BYTES[(n / LARGE_EVERY) % LARGE_BYTES.length] ?? 0;
      yield webhook(n, push.name, manyCommits(push.payload, bytes), secret);
    }
  }
}

function webhook(n: number, name: string, body: Uint8Array, secret: Uint8Array): Webhook {
  const event = randomUUID();
  const sign = (hash: string): string => `${hash}=${createHmac(hash, secret).update(body).digest("hex")}`;
  const headers: HeaderPair[] = [
    ["Host", "hooks.example.test"],
    ["User-Agent", "GitHub-Hookshot/044aadd"],
    ["Content-Length", String(body.length)],
    ["Accept", "*/*"],
    ["Content-Type", "application/json"],
    ["X-GitHub-Delivery", event],
    ["X-GitHub-Event", name],
    ["X-GitHub-Hook-ID", String(100_000_000 + n)],
    ["X-GitHub-Hook-Installation-Target-ID", String(200_000_000 + n)],
    ["X-GitHub-Hook-Installation-Target-Type", "repository"],
    ["X-Hub-Signature", sign("sha1")],
    ["X-Hub-Signature-256", sign("sha256")],
    ["Authorization", `Bearer ${createHash("sha256").update(event).digest("hex")}`],
    ["Cookie", `session=${n}`],
    ["X-Forwarded-For", "192.0.2.1"],
    ["X-Forwarded-For", "198.51.100.7"],
  ];
  return { source: "github", tenant: tenantOf(n, body.length), event, headers, body, contentType: "application/json" };
}

/** A push like `payload` with as many commits as make at least `bytes`. */
function manyCommits(payload: Readonly<Record<string, unknown>>, bytes: number): Uint8Array {
  const { pusher, repository } = payload;
  const commits: unknown[] = [];
  for (let length = JSON.stringify(payload).length; length < bytes; ) {
    const commit = { id: createHash("sha1").update(String(commits.length)).digest("hex"), pusher, repository };
    commits.push(commit);
    length += JSON.stringify(commit).length + 1;
  }
  return Buffer.from(JSON.stringify({ ...payload, commits }));
}
