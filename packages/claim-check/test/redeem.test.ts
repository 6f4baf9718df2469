import { inspect } from "node:util";
import { decodeMessage, encodeMessage, type Message } from "@sinkwire/message";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ClaimRejectedError,
  createClaimCheck,
  createRedeemClient,
  memoryStore,
  type RedeemClientOptions,
  type RedeemRequest,
} from "../src/index.js";
import { bytesOf, CLAIM_ID, failureOf, gatewayServer, rawServer, sha256, type TestServer } from "./support.js";

const BODY = bytesOf('{"action":"opened"}');
const REF = `urn:ankusa:claim:v1:acme:${CLAIM_ID}`;
const CLAIM: RedeemRequest = { ref: REF, sha256: sha256(BODY) };
const HOOK = { id: "evt_1", source_id: "github", tenant_id: "acme", received_at: 0, body: BODY };

/** A client whose requests are answered here. */
function fakeClient(answer: (url: string, init: RequestInit) => Promise<Response>, options = {}) {
  return createRedeemClient({ baseUrl: "http://gateway.test/", fetch: answer, ...options });
}

describe("redeem", () => {
  const store = memoryStore();
  const claims = createClaimCheck({ store });
  let gateway: TestServer;
  beforeAll(async () => {
    gateway = await gatewayServer({ store });
  });
  afterAll(() => gateway.close());

  test.each([0, 1, 65_536, 65_537, 1_000_000])("gives back a body of %d bytes", async (size) => {
    const body = new Uint8Array(size).map((_, i) => i * 31);
    const claim = await claims.checkIn("acme", { id: "a", body });
    const client = createRedeemClient({ baseUrl: gateway.url });
    expect(Buffer.from(await client.redeem(claim)).equals(body)).toBe(true);
    expect(Buffer.from(await client.redeem({ ...claim, size })).equals(body)).toBe(true);
    const exact = createRedeemClient({ baseUrl: gateway.url, maxBytes: size });
    expect(Buffer.from(await exact.redeem(claim)).equals(body)).toBe(true);
  });

  test("redeems twice: a claim is never used up", async () => {
    const claim = await claims.checkIn("acme", { id: "a", body: BODY });
    const client = createRedeemClient({ baseUrl: gateway.url });
    const [first, second] = [await client.redeem(claim), await client.redeem(claim)];
    expect(Buffer.from(first).equals(second)).toBe(true);
    expect(first.buffer).not.toBe(second.buffer);
  });

  test("has no claim of another tenant", async () => {
    const { ref, sha256 } = await claims.checkIn("acme", { id: "a", body: BODY });
    const foreign = { ref: ref.replace(":acme:", ":acmf:"), sha256 };
    const client = createRedeemClient({ baseUrl: gateway.url });
    expect(await failureOf(client.redeem(foreign))).toMatchObject({ code: "claim_not_found" });
  });

  test("body serves both forms", async () => {
    const client = createRedeemClient({ baseUrl: gateway.url });
    const inline = decodeMessage(encodeMessage(HOOK).bytes);
    expect(Buffer.from(await client.body(inline)).equals(BODY)).toBe(true);
    const { bytes } = await claims.encode(HOOK, {}, { inlineMaxBytes: 0 });
    expect(Buffer.from(await client.body(decodeMessage(bytes))).equals(BODY)).toBe(true);
  });

  test("body does not redeem a claim without a digest", async () => {
    const message: Pick<Message, "body" | "sha256" | "size"> = {
      body: { form: "claim", ref: REF },
      sha256: null,
      size: 1,
    };
    const client = createRedeemClient({ baseUrl: gateway.url });
    expect(await failureOf(client.body(message))).toMatchObject({ code: "invalid_claim_ref" });
  });

  test("keeps its connection between bodies", async () => {
    const own = await gatewayServer({ store });
    const claim = await claims.checkIn("acme", { id: "a", body: BODY });
    const client = createRedeemClient({ baseUrl: own.url });
    for (let i = 0; i < 3; i++) await client.redeem(claim);
    expect(own.taken()).toBe(1);
    await own.close();
  });

  test("asks for the bytes as they are, whatever the caller's headers say", async () => {
    const requests: string[] = [];
    const server = await rawServer((socket) => {
      socket.on("data", (data) => {
        requests.push(data.toString("latin1"));
        socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: Identity\r\n\r\n${Buffer.from(BODY)}`);
      });
    });
    const headers = { "Accept-Encoding": "gzip", authorization: "Bearer t" };
    const sig = "s".repeat(43);
    const client = createRedeemClient({ baseUrl: `${server.url}/behind/a/path/`, headers });
    await client.redeem({ ...CLAIM, ref: `urn:ankusa:claim:v2:acme:${CLAIM_ID}:1790000000:${sig}` });
    await server.close();
    expect(requests.length).toBe(1);
    expect(requests[0]).toMatch(
      new RegExp(`^GET /behind/a/path/v1/claims/acme/${CLAIM_ID}\\?exp=1790000000&sig=${sig} HTTP/1.1\r\n`),
    );
    expect(requests[0]?.match(/accept-encoding: .*/gi)).toEqual(["accept-encoding: identity"]);
    expect(requests[0]).toContain("authorization: Bearer t\r\n");
  });

  test("a function gives headers anew for every request", async () => {
    let calls = 0;
    const seen: (string | null)[] = [];
    const client = fakeClient(
      async (_url, { headers }) => {
        seen.push(new Headers(headers).get("authorization"));
        return new Response(BODY);
      },
      { headers: async () => [["authorization", `token ${++calls}`]] },
    );
    await client.redeem(CLAIM);
    await client.redeem(CLAIM);
    expect(seen).toEqual(["token 1", "token 2"]);
  });

  test("an empty answer without a stream is an empty body", async () => {
    const client = fakeClient(async () => new Response(null));
    expect(await client.redeem({ ref: REF, sha256: sha256(bytesOf("")), size: 0 })).toEqual(new Uint8Array());
  });
});

describe("what a redeem client does not trust", () => {
  test("a fetch that follows redirects", async () => {
    const followed = new Response(BODY);
    Object.defineProperty(followed, "redirected", { value: true });
    const error = await failureOf(fakeClient(async () => followed).redeem(CLAIM));
    expect(error).toMatchObject({ code: "claim_check_unavailable" });
  });

  test("a fetch that never settles and does not listen", async () => {
    const error = await failureOf(fakeClient(() => new Promise(() => {}), { timeoutMs: 20 }).redeem(CLAIM));
    expect(error).toMatchObject({ code: "claim_check_unavailable", retryable: true });
  });

  test("a fetch that settles too late: its body is cancelled", async () => {
    let settle: (response: Response) => void = () => {};
    const late = new Promise<Response>((resolve) => {
      settle = resolve;
    });
    const error = await failureOf(fakeClient(() => late, { timeoutMs: 20 }).redeem(CLAIM));
    expect(error).toMatchObject({ code: "claim_check_unavailable" });
    await new Promise<void>((cancelled) => {
      settle(new Response(new ReadableStream({ cancel: () => cancelled() })));
    });
  });

  test("a stream that never gives a byte and does not listen: it is cancelled", async () => {
    let cancelled: () => void = () => {};
    const done = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const client = fakeClient(async () => new Response(new ReadableStream({ cancel: () => cancelled() })), {
      timeoutMs: 20,
    });
    expect(await failureOf(client.redeem(CLAIM))).toMatchObject({ code: "claim_check_unavailable" });
    await done;
  });

  test("a headers function that never settles", async () => {
    let requests = 0;
    const answer = async () => {
      requests++;
      return new Response(BODY);
    };
    const client = fakeClient(answer, { timeoutMs: 20, headers: () => new Promise(() => {}) });
    expect(await failureOf(client.redeem(CLAIM))).toMatchObject({ code: "claim_check_unavailable" });
    expect(requests).toBe(0);
  });

  test("a headers function that settles too late: nothing is sent", async () => {
    let settle: (headers: Record<string, string>) => void = () => {};
    const late = new Promise<Record<string, string>>((resolve) => {
      settle = resolve;
    });
    let requests = 0;
    const answer = async () => {
      requests++;
      return new Response(BODY);
    };
    const client = fakeClient(answer, { timeoutMs: 20, headers: () => late });
    expect(await failureOf(client.redeem(CLAIM))).toMatchObject({ code: "claim_check_unavailable" });
    settle({});
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toBe(0);
  });

  test("the texts of a fetch's own errors", async () => {
    const leaky = async (url: string) => {
      throw Object.assign(new Error(`request to ${url} failed`), { code: "ECONNRESET" });
    };
    const sig = "z".repeat(43);
    const ref = `urn:ankusa:claim:v2:acme:${CLAIM_ID}:1790000000:${sig}`;
    const error = await failureOf(fakeClient(leaky).redeem({ ...CLAIM, ref }));
    expect(error).toMatchObject({ code: "claim_check_unavailable", retryable: true });
    expect((error as Error).message).toContain("ECONNRESET");
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(sig);
  });

  test.each([
    [64, false],
    [65, true],
    [30_000, true],
  ])("an error's body of %d levels", async (levels, isText) => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const json = `${open.repeat(levels - 1)}[]${close.repeat(levels - 1)}`;
      if (json.length > 65_536) continue;
      const error = await failureOf(fakeClient(async () => new Response(json, { status: 403 })).redeem(CLAIM));
      expect(error).toBeInstanceOf(ClaimRejectedError);
      const { body } = error as ClaimRejectedError;
      expect(body).toEqual(isText ? json : JSON.parse(json));
      expect(JSON.stringify(body).length).toBeGreaterThan(levels);
    }
  });

  test("an answer that pollutes prototypes", async () => {
    const answer = async () => new Response('{"__proto__":{"polluted":true}}', { status: 403 });
    expect(await failureOf(fakeClient(answer).redeem(CLAIM))).toMatchObject({ code: "claim_rejected" });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("an abort gives the caller's reason", () => {
  const reason = { why: "shutting down" };

  test("before any request", async () => {
    let requests = 0;
    const answer = async () => {
      requests++;
      return new Response(BODY);
    };
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(fakeClient(answer).redeem(CLAIM, { signal }))).toBe(reason);
    expect(requests).toBe(0);
  });

  test.each([
    ["before the headers", ""],
    ["within the headers", "HTTP/1.1 200 OK\r\nx-a"],
    ["within the body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n123"],
    ["within an error's body", "HTTP/1.1 403 No\r\ncontent-length: 10\r\n\r\n123"],
  ])("%s", async (_stage, start) => {
    const controller = new AbortController();
    const closed: Promise<void>[] = [];
    const server = await rawServer((socket) => {
      closed.push(new Promise((resolve) => socket.on("close", () => resolve())));
      socket.on("data", () => socket.write(start, () => setImmediate(() => controller.abort(reason))));
    });
    const client = createRedeemClient({ baseUrl: server.url });
    expect(await failureOf(client.redeem(CLAIM, { signal: controller.signal }))).toBe(reason);
    await closed[0];
    await server.close();
  });
});

describe("options", () => {
  test.each<[field: string, options: Partial<Record<keyof RedeemClientOptions, unknown>>]>([
    ["base_url", { baseUrl: "" }],
    ["base_url", { baseUrl: "/v1" }],
    ["base_url", { baseUrl: "ftp://secret.test" }],
    ["base_url", { baseUrl: "http://user:secret@gateway.test" }],
    ["base_url", { baseUrl: "http://secret@gateway.test" }],
    ["base_url", { baseUrl: "http://gateway.test/?key=secret" }],
    ["base_url", { baseUrl: "http://gateway.test/#secret" }],
    ["base_url", { baseUrl: "http://secret:port" }],
    ["base_url", { baseUrl: undefined }],
    ["base_url", { baseUrl: "http://gateway.test:6000" }],
    ["base_url", { baseUrl: "https://gateway.test:10080/secret" }],
    ["fetch", { fetch: "secret" }],
    ["timeout_ms", { timeoutMs: 0 }],
    ["timeout_ms", { timeoutMs: 2 ** 31 }],
    ["timeout_ms", { timeoutMs: Number.POSITIVE_INFINITY }],
    ["max_bytes", { maxBytes: -1 }],
    ["max_bytes", { maxBytes: "1" }],
    ["headers", { headers: { authorization: "secret\nx" } }],
    ["headers", { headers: { "bad name secret": "x" } }],
    ["headers", { headers: 5 }],
    ["headers", { headers: { connection: "secret" } }],
    ["headers", { headers: { Expect: "100-continue" } }],
    ["headers", { headers: [["UPGRADE", "secret"]] }],
    ["headers", { headers: { "keep-alive": "timeout=5" } }],
    ["headers", { headers: { "transfer-encoding": "chunked" } }],
    ["headers", { headers: { "content-length": "5" } }],
  ])("refuses %s %#", (field, options) => {
    let error: unknown;
    try {
      createRedeemClient({ baseUrl: "http://gateway.test", ...options } as RedeemClientOptions);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "invalid_hook", field, retryable: false });
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain("secret\n");
    expect((error as Error).message).not.toContain("secret");
  });

  test("refuses to be made of nothing", () => {
    const expected = expect.objectContaining({ code: "invalid_hook", field: "base_url", retryable: false });
    expect(() => createRedeemClient(undefined as unknown as RedeemClientOptions)).toThrow(expected);
  });

  test("refuses no port that the platform's fetch takes", async () => {
    const isRefused = (port: number) => {
      try {
        createRedeemClient({ baseUrl: `http://127.0.0.1:${port}` });
        return false;
      } catch {
        return true;
      }
    };
    const refused = Array.from({ length: 11_000 }, (_, port) => port).filter(isRefused);
    expect(refused).toContain(6000);
    expect(refused).not.toContain(80);
    expect(refused).not.toContain(8080);
    for (const port of refused.filter((each) => each > 0)) {
      expect((await failureOf(fetch(`http://127.0.0.1:${port}`))) as Error).toMatchObject({
        cause: { message: "bad port" },
      });
    }
  });

  test("a fetch of the caller's own may reach any port", async () => {
    const client = fakeClient(async () => new Response(BODY), { baseUrl: "http://gateway.test:6000" });
    expect(await client.redeem(CLAIM)).toEqual(BODY);
  });

  test("refuses headers of a function that are the HTTP client's own", async () => {
    const client = fakeClient(async () => new Response(BODY), { headers: () => ({ Connection: "close" }) });
    const error = await failureOf(client.redeem(CLAIM));
    expect(error).toMatchObject({ code: "invalid_hook", field: "headers", retryable: false });
  });

  test("refuses headers of a function, without telling them", async () => {
    const client = fakeClient(async () => new Response(BODY), { headers: () => ({ authorization: "secret\nx" }) });
    const error = await failureOf(client.redeem(CLAIM));
    expect(error).toMatchObject({ code: "invalid_hook", field: "headers" });
    expect(inspect(error, { depth: null, showHidden: true }).split("\n")[0]).not.toContain("secret");
  });

  test.each([-1, 0.5, "1", Number.NaN, 2 ** 53])("refuses a size of %j", async (size) => {
    const client = fakeClient(async () => new Response(BODY));
    const error = await failureOf(client.redeem({ ...CLAIM, size: size as number }));
    expect(error).toMatchObject({ code: "invalid_hook", field: "size" });
  });

  test("a declared size is the cap, whatever maxBytes says", async () => {
    const client = fakeClient(async () => new Response(BODY), { maxBytes: 1 });
    expect(await client.redeem({ ...CLAIM, size: BODY.length })).toEqual(BODY);
    expect(await failureOf(client.redeem(CLAIM))).toMatchObject({
      code: "message_too_large",
      limit: 1,
      retryable: false,
    });
  });
});
