import { randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { inspect } from "node:util";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { type ClaimStore, createClaimCheck, createGateway, createRedeemClient } from "@sinkwire/claim-check";
import { type S3StoreOptions, s3Store } from "@sinkwire/claim-check/s3";
import { decodeMessage, parseClaimRef } from "@sinkwire/message";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newKey, storeSuite, textOf } from "../../../claim-check/test/store-suite.js";
import { bytesOf, failureOf } from "../../../claim-check/test/support.js";
import { type Broker, startBroker } from "../../src/brokers/index.js";
import { plainHook } from "../../src/transport-suite/index.js";
import { runSnippets } from "./run-snippets.js";

const commands = { GetObjectCommand, HeadBucketCommand, PutObjectCommand };
const UNAVAILABLE = { code: "claim_check_unavailable", reason: "unavailable", retryable: true };
const FORBIDDEN = { ...UNAVAILABLE, reason: "forbidden" };

describe("s3Store", () => {
  let broker: Broker;
  let client: S3Client;
  let bucket: string;
  let store: ClaimStore;
  const clients: S3Client[] = [];
  const clientFor = (address: string, config: S3ClientConfig = {}): S3Client => {
    const { origin, username, password } = new URL(address);
    const credentials = { accessKeyId: username, secretAccessKey: password };
    const made = new S3Client({
      ...{ endpoint: origin, region: "us-east-1", forcePathStyle: true, credentials, maxAttempts: 1 },
      ...config,
    });
    clients.push(made);
    return made;
  };
  const storeOf = (changes: Partial<S3StoreOptions> = {}): ClaimStore =>
    s3Store({ client, commands, bucket, ...changes });
  /** The server's address with another port, and the same credentials. */
  const through = (port: number): string => broker.url.replace(/:\d+$/, `:${port}`);

  beforeAll(async () => {
    broker = await startBroker("s3", { own: true });
    client = clientFor(broker.url);
    bucket = `claims-${randomUUID()}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    store = storeOf();
  });
  afterAll(async () => {
    for (const each of clients) each.destroy();
    await broker?.stop();
  });

  storeSuite(() => store);

  it("is used as its page shows", async () => {
    await client.send(new CreateBucketCommand({ Bucket: "acme-claims" }));
    const server = { shown: "http://key:secret@127.0.0.1:7070", url: broker.url };
    const [printed] = await runSnippets("packages/claim-check/README.md", server);
    expect(printed).toBe("200000\n");
  });

  it("does not replace what is there, unless it was told to", async () => {
    const key = newKey();
    await store.put(key, bytesOf("first"));
    for (const other of ["other", "firs", "first and more", ""]) {
      expect(await failureOf(store.put(key, bytesOf(other)))).toMatchObject({
        ...UNAVAILABLE,
        message: expect.stringContaining("something else"),
      });
    }
    expect(textOf(await store.read(key, 0, 20))).toBe("first");
    await storeOf({ overwrite: true }).put(key, bytesOf("other"));
    expect(textOf(await store.read(key, 0, 20))).toBe("other");
  });

  it("keeps a claim where its key says, and a gateway serves it", async () => {
    const hook = plainHook("evt_1", 200_000);
    const encoded = await createClaimCheck({ store }).encode(hook);
    const { claim_id } = parseClaimRef(encoded.claim?.ref ?? "");
    const { Contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: `claims/tenant=${hook.tenant_id}/` }),
    );
    const keys = Contents.map(({ Key }) => Key).filter((key) => key?.endsWith(claim_id));
    const day = new Date(Number(Contents.find(({ Key }) => Key === keys[0])?.LastModified)).toISOString().slice(0, 10);
    expect(keys).toEqual([`claims/tenant=${hook.tenant_id}/dt=${day}/${claim_id}`]);
    expect(Buffer.from(await redeemer(store).body(decodeMessage(encoded.bytes))).equals(hook.body)).toBe(true);
  });

  it("a body that was altered in the bucket has the wrong digest, and one that was cut is unavailable", async () => {
    const hook = plainHook("evt_1", 200_000);
    const { bytes, claim } = await createClaimCheck({ store }).encode(hook);
    const message = decodeMessage(bytes);
    const { claim_id, tenant_id } = parseClaimRef(claim?.ref ?? "");
    const { Contents } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: `claims/tenant=${tenant_id}/` }),
    );
    const key = Contents?.map(({ Key }) => Key ?? "").find((each) => each.endsWith(claim_id)) ?? "";
    const pack = new Uint8Array((await store.read(key, 0, 1_000_000)) ?? []);
    const altered = new Uint8Array(pack);
    altered[100_000] = (altered[100_000] ?? 0) ^ 1;
    const replacing = storeOf({ overwrite: true });
    await replacing.put(key, altered);
    expect(await failureOf(redeemer(store).body(message))).toMatchObject({
      code: "claim_integrity",
      retryable: false,
    });
    await replacing.put(key, pack.subarray(0, 100_000));
    expect(await failureOf(redeemer(store).body(message))).toMatchObject({
      code: "claim_check_unavailable",
      retryable: true,
    });
    await replacing.put(key, pack);
    expect((await redeemer(store).body(message)).length).toBe(200_000);
  });

  it("a missing bucket is unavailable, and its claims are not gone", async () => {
    const missing = storeOf({ bucket: "no-such-bucket" });
    expect(await failureOf(missing.read(newKey(), 0, 1))).toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining("NoSuchBucket"),
    });
    expect(await failureOf(missing.put(newKey(), bytesOf("x")))).toMatchObject(UNAVAILABLE);
    expect(await failureOf(check(missing))).toMatchObject(UNAVAILABLE);
  });

  it("credentials that are refused, and none at all, are forbidden; no error holds one", async () => {
    const wrong = clientFor(broker.url.replace(/:[^:@]*@/, ":a-wrong-secret@"));
    const none = clientFor(broker.url, {
      credentials: () => Promise.reject(Object.assign(new Error("no key"), { name: "CredentialsProviderError" })),
    });
    for (const each of [wrong, none].map((one) => storeOf({ client: one }))) {
      const errors = [
        await failureOf(each.put(newKey(), bytesOf("x"))),
        await failureOf(each.read(newKey(), 0, 1)),
        await failureOf(check(each)),
      ];
      for (const error of errors) {
        expect(error).toMatchObject(FORBIDDEN);
        const shown = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error);
        expect(shown).not.toMatch(/sinkwire-secret|a-wrong-secret|AWS4|Signature=|Credential=/);
      }
    }
  });

  it("an answer that breaks off is unavailable, and no short object", async () => {
    const key = newKey();
    await store.put(key, new Uint8Array(1_000_000));
    let left = 300_000;
    const cutting = await proxy(broker, {
      down: (chunk, socket) => {
        left -= chunk.length;
        if (left > 0) socket.write(chunk);
        else socket.destroy();
      },
    });
    const error = await failureOf(storeOf({ client: clientFor(through(cutting)) }).read(key, 0, 1_000_000));
    expect(error).toMatchObject(UNAVAILABLE);
    expect(left).toBeLessThanOrEqual(0);
  });

  it("an upload that was altered on its way is not kept", async () => {
    const key = newKey();
    const altering = await proxy(broker, {
      up: (chunk, socket) => {
        socket.write(Buffer.from(chunk.toString("latin1").replace("the whole truth", "the whole tooth"), "latin1"));
      },
    });
    const altered = storeOf({ client: clientFor(through(altering)) });
    expect(await failureOf(altered.put(key, bytesOf("the whole truth")))).toMatchObject(UNAVAILABLE);
    expect(await store.read(key, 0, 1)).toBeNull();
    await altered.put(key, bytesOf("other"));
    expect(textOf(await store.read(key, 0, 10))).toBe("other");
  });

  it("a put whose answer was lost succeeds when it is tried again", async () => {
    const key = newKey();
    let lost = 0;
    const losing = await proxy(broker, {
      down: (chunk, socket) => {
        if (lost++ === 0) socket.destroy();
        else socket.write(chunk);
      },
    });
    await storeOf({ client: clientFor(through(losing), { maxAttempts: 3 }) }).put(key, bytesOf("once"));
    expect(lost).toBeGreaterThan(1);
    expect(textOf(await store.read(key, 0, 10))).toBe("once");
  });

  describe("a server that breaks the rules", () => {
    const strange = async (answer: RequestListener): Promise<ClaimStore> => {
      const server = createServer(answer);
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return storeOf({ client: clientFor(through((server.address() as AddressInfo).port)) });
    };

    it("and never ends its answer is read no further than was asked", async () => {
      let closed: () => void = () => {};
      const ended = new Promise<void>((resolve) => {
        closed = resolve;
      });
      const endless = await strange((_request, response) => {
        response.writeHead(206, { "content-range": "bytes 0-3/4" });
        response.on("close", closed);
        const more = (): void => {
          while (!response.destroyed && response.write("a".repeat(65_536)));
        };
        response.on("drain", more);
        more();
      });
      expect(textOf(await endless.read(newKey(), 0, 4))).toBe("aaaa");
      await ended;
    });

    it.each([{}, { "content-range": "bytes 0-9/10" }, { "content-range": "bytes 4-*/10" }])(
      "and gives another part (%j) is unavailable",
      async (headers) => {
        const other = await strange((_request, response) => {
          response.writeHead(headers["content-range"] === undefined ? 200 : 206, headers).end("0123456789");
        });
        expect(await failureOf(other.read(newKey(), 4, 2))).toMatchObject(UNAVAILABLE);
      },
    );

    it.each([404, 410])("and says %i without saying of what is unavailable", async (status) => {
      const silent = await strange((_request, response) => {
        response.writeHead(status).end("<html>");
      });
      expect(await failureOf(silent.read(newKey(), 0, 1))).toMatchObject(UNAVAILABLE);
    });

    it("and is busy says for how long", async () => {
      const busy = await strange((request, response) => {
        request.resume();
        response.writeHead(503, { "retry-after": "7" }).end("<Error><Code>SlowDown</Code></Error>");
      });
      expect(await failureOf(busy.put(newKey(), bytesOf("x")))).toMatchObject({
        ...UNAVAILABLE,
        retryAfterMs: 7_000,
        message: "the claim bucket failed (SlowDown, status 503)",
      });
    });
  });

  it.each<[field: string, changes: unknown]>([
    ["client", { client: null }],
    ["client", { client: {} }],
    ["commands", { commands: undefined }],
    ["commands", { commands: { GetObjectCommand, PutObjectCommand } }],
    ["bucket", { bucket: "" }],
    ["bucket", { bucket: 5 }],
    ["overwrite", { overwrite: "no" }],
    ["timeout_ms", { timeoutMs: 0 }],
  ])("refuses a wrong %s %#", (field, changes) => {
    expect(() => storeOf(changes as Partial<S3StoreOptions>)).toThrow(
      expect.objectContaining({ code: "invalid_hook", field, retryable: false }),
    );
  });

  it("a frozen server is unavailable in time, an abort comes out at once, and nothing is lost", async () => {
    const key = newKey();
    await store.put(key, bytesOf("before"));
    broker.freeze();
    try {
      const hasty = storeOf({ timeoutMs: 300 });
      expect(await failureOf(hasty.read(key, 0, 1))).toMatchObject(UNAVAILABLE);
      expect(await failureOf(check(hasty))).toMatchObject(UNAVAILABLE);
      const frozen = newKey();
      expect(await failureOf(hasty.put(frozen, bytesOf("x")))).toMatchObject(UNAVAILABLE);
      const reason = new Error("stop");
      const controller = new AbortController();
      const reading = store.read(key, 0, 1, { signal: controller.signal });
      controller.abort(reason);
      expect(await failureOf(reading)).toBe(reason);
      broker.resume();
      await store.put(frozen, bytesOf("x"));
      expect(textOf(await store.read(frozen, 0, 9))).toBe("x");
    } finally {
      broker.resume();
    }
    expect(textOf(await store.read(key, 0, 9))).toBe("before");
  });

  it("a server that was stopped is unavailable, and comes back with its claims", async () => {
    const key = newKey();
    await store.put(key, bytesOf("before"));
    await broker.kill();
    const error = await failureOf(store.read(key, 0, 1));
    expect(error).toMatchObject({ ...UNAVAILABLE, message: expect.stringMatching(/ECONN/) });
    expect(await failureOf(store.put(newKey(), bytesOf("x")))).toMatchObject(UNAVAILABLE);
    await broker.restart();
    expect(textOf(await store.read(key, 0, 9))).toBe("before");
  });
});

const check = async (store: ClaimStore): Promise<void> => store.check?.();

/** Redeems through a gateway over a store, in this process. */
function redeemer(store: ClaimStore) {
  const gateway = createGateway({ store });
  return createRedeemClient({
    baseUrl: "http://store.example",
    fetch: (url, init) => gateway(new Request(url, init)),
  });
}

/** What a proxy does with bytes on their way. */
interface Meddling {
  readonly up?: (chunk: Buffer, socket: Socket) => void;
  readonly down?: (chunk: Buffer, socket: Socket) => void;
}

/** Stands between a client and the server, and gives its port. */
async function proxy(broker: Broker, meddling: Meddling): Promise<number> {
  const pass = (chunk: Buffer, socket: Socket): void => void socket.write(chunk);
  const { up = pass, down = pass } = meddling;
  const sockets = new Set<Socket>();
  const server = createTcpServer((client) => {
    const upstream = connect(Number(new URL(broker.url).port), "127.0.0.1");
    client.on("data", (chunk) => up(chunk, upstream));
    upstream.on("data", (chunk) => down(chunk, client));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => other.destroy());
    }
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
