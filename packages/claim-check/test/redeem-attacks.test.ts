import type { Socket } from "node:net";
import { inspect } from "node:util";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type ClaimRejectedError,
  type ClaimUnavailableError,
  createRedeemClient,
  type RedeemClientOptions,
  type RedeemRequest,
} from "../src/index.js";
import { bytesOf, CLAIM_ID, failureOf, rawServer, sha256, type TestServer } from "./support.js";

const BODY = bytesOf('{"action":"opened","number":1}');
const TOKEN = "token-that-must-not-leak";
const SIGNATURE = "signature-that-must-not-leak-0123456789-abc";
const REF = `urn:ankusa:claim:v2:acme:${CLAIM_ID}:1790000000:${SIGNATURE}`;
const CLAIM: RedeemRequest = { ref: REF, sha256: sha256(BODY), size: BODY.length };
const UNSIZED: RedeemRequest = { ref: REF, sha256: sha256(BODY) };
/** For peers that never finish. */
const STALLED: Partial<RedeemClientOptions> = { timeoutMs: 150 };

interface Attack {
  readonly name: string;
  /** What the peer does once it has the request; with `early`, as soon as it is connected. */
  readonly peer: (socket: Socket) => void;
  readonly early?: boolean;
  readonly code: string;
  readonly claim?: RedeemRequest;
  readonly options?: Partial<RedeemClientOptions>;
  /** What else the error has to be. */
  readonly like?: Partial<ClaimRejectedError & ClaimUnavailableError>;
}

const head = (status: string, ...lines: string[]) => `HTTP/1.1 ${[status, ...lines].join("\r\n")}\r\n\r\n`;
/** A whole answer, after which the peer closes. */
const answer =
  (status: string, lines: string[] = [], body: Uint8Array | string = "") =>
  (socket: Socket) => {
    const length = `content-length: ${Buffer.byteLength(body)}`;
    socket.write(head(status, "connection: close", length, ...lines));
    socket.end(body);
  };
/** Writes these pieces and then stays silent. */
const stall =
  (...pieces: (string | Uint8Array)[]) =>
  (socket: Socket) => {
    for (const piece of pieces) socket.write(piece);
  };
/** Writes these pieces and closes. */
const close =
  (...pieces: (string | Uint8Array)[]) =>
  (socket: Socket) => {
    stall(...pieces)(socket);
    socket.end();
  };
/** Writes these pieces and resets the connection once they are on their way. */
const reset =
  (...pieces: (string | Uint8Array)[]) =>
  (socket: Socket) => {
    if (pieces.length === 0) socket.resetAndDestroy();
    else socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), () => socket.resetAndDestroy());
  };
/** Writes a start, and then a piece again and again, slowly or as fast as the other side takes it. */
const drip =
  (start: string, piece: string, everyMs = 5) =>
  (socket: Socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.on("close", () => clearInterval(timer));
  };
const flood = (start: string, piece: string) => (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.write(start);
  socket.on("drain", more);
  more();
};

const CHUNKED = head("200 OK", "transfer-encoding: chunked");
const CHUNK = `4000\r\n${"x".repeat(0x4000)}\r\n`;
const sized = (length: number | string) => head("200 OK", `content-length: ${length}`);
const unavailable = (retryAfterMs: number | null = null): Pick<Attack, "code" | "like"> => ({
  code: "claim_check_unavailable",
  like: { retryable: true, retryAfterMs },
});

let canary: TestServer;
beforeAll(async () => {
  canary = await rawServer((socket) => answer("200 OK", [], BODY)(socket));
});
afterAll(() => canary.close());

const ATTACKS: readonly Attack[] = [
  // Statuses that are not exactly 200, redirects first: the body behind them is the right one.
  ...["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"].map((status) => ({
    name: `redirect ${status}`,
    peer: (socket: Socket) => answer(status, [`location: ${canary.url}/v1/claims/acme/${CLAIM_ID}`], BODY)(socket),
    code: "claim_check_unavailable",
    like: { retryable: true, retryAfterMs: null },
  })),
  {
    name: "redirect to itself",
    peer: answer("302 Found", [`location: /v1/claims/acme/${CLAIM_ID}`], BODY),
    code: "claim_check_unavailable",
  },
  ...["201 Created", "203 Non-Authoritative", "206 Partial Content", "226 IM Used", "299 Odd", "300 Choices"].map(
    (status) => ({ name: `status ${status}`, peer: answer(status, [], BODY), code: "claim_check_unavailable" }),
  ),
  { name: "status 204", peer: close(head("204 No Content", "connection: close")), code: "claim_check_unavailable" },
  { name: "status 304", peer: close(head("304 Not Modified", "connection: close")), code: "claim_check_unavailable" },
  {
    name: "status 101",
    peer: stall(head("101 Switching Protocols", "connection: upgrade", "upgrade: h2c")),
    ...unavailable(),
  },
  { name: "status 999", peer: answer("999 What", [], BODY), code: "claim_check_unavailable" },

  // Errors, and what comes with them.
  {
    name: "404 with a body that never ends",
    peer: flood(head("404 No", "transfer-encoding: chunked"), CHUNK),
    code: "claim_not_found",
  },
  {
    name: "410 with JSON",
    peer: answer("410 Gone", [], '{"error":"expired"}'),
    code: "claim_rejected",
    like: { status: 410, body: { error: "expired" }, retryable: false },
  },
  {
    name: "403 with text",
    peer: answer("403 No", [], "no\n"),
    code: "claim_rejected",
    like: { status: 403, body: "no\n" },
  },
  { name: "401 without a body", peer: answer("401 No"), code: "claim_rejected", like: { status: 401, body: "" } },
  {
    name: "403 with a body that never ends",
    peer: flood(head("403 No", "transfer-encoding: chunked"), CHUNK),
    code: "claim_rejected",
    like: { status: 403, body: "x".repeat(65_536) },
  },
  {
    name: "403 with 60,000 open brackets",
    peer: answer("403 No", [], "[".repeat(60_000)),
    code: "claim_rejected",
    like: { body: "[".repeat(60_000) },
  },
  {
    name: "403 with a compression bomb",
    peer: answer("403 No", ["content-encoding: gzip"], gzipSync(new Uint8Array(1 << 24))),
    code: "claim_rejected",
    like: { body: "" },
  },
  {
    name: "403 whose body stalls",
    peer: stall(head("403 No", "content-length: 10"), "no"),
    options: STALLED,
    ...unavailable(),
  },
  {
    name: "403 whose body is cut off",
    peer: close(head("403 No", "content-length: 10"), "no"),
    ...unavailable(),
  },
  { name: "408", peer: answer("408 Timeout"), ...unavailable() },
  { name: "429 with seconds", peer: answer("429 Slow", ["retry-after: 7"]), ...unavailable(7000) },
  {
    name: "503 with absurd seconds",
    peer: answer("503 No", [`retry-after: ${"9".repeat(20)}`]),
    ...unavailable(86_400_000),
  },
  { name: "503 with negative seconds", peer: answer("503 No", ["retry-after: -1"]), ...unavailable() },
  {
    name: "503 with a date long past",
    peer: answer("503 No", ["retry-after: Sun, 06 Nov 1994 08:49:37 GMT"]),
    ...unavailable(0),
  },
  {
    name: "503 with a date far ahead",
    peer: answer("503 No", ["retry-after: Fri, 31 Dec 9999 23:59:59 GMT"]),
    ...unavailable(86_400_000),
  },
  {
    name: "503 with a date that is none",
    peer: answer("503 No", ["retry-after: Sun, 99 Nov 1994 08:49:37 GMT"]),
    ...unavailable(),
  },
  {
    name: "500 with a body that never ends",
    peer: flood(head("500 No", "transfer-encoding: chunked"), CHUNK),
    ...unavailable(),
  },

  // Bodies that never end.
  { name: "endless chunks, size known", peer: flood(CHUNKED, CHUNK), code: "claim_integrity" },
  {
    name: "endless chunks, size unknown",
    peer: flood(CHUNKED, CHUNK),
    claim: UNSIZED,
    options: { maxBytes: 100_000 },
    code: "message_too_large",
  },
  { name: "endless chunks of one byte", peer: flood(CHUNKED, "1\r\nx\r\n"), code: "claim_integrity" },
  {
    name: "a petabyte announced and sent, size known",
    peer: flood(sized(1e15), "x".repeat(0x4000)),
    code: "claim_integrity",
  },
  {
    name: "a petabyte announced and sent, size unknown",
    peer: flood(sized(1e15), "x".repeat(0x4000)),
    claim: UNSIZED,
    options: { maxBytes: 0 },
    code: "message_too_large",
  },
  {
    name: "endless until close, without a length",
    peer: flood(head("200 OK"), "x".repeat(0x4000)),
    code: "claim_integrity",
  },
  {
    name: "one byte more than declared",
    peer: answer("200 OK", [], Buffer.concat([BODY, Buffer.from("x")])),
    code: "claim_integrity",
  },
  {
    name: "one byte more than maxBytes",
    peer: answer("200 OK", [], BODY),
    claim: UNSIZED,
    options: { maxBytes: BODY.length - 1 },
    code: "message_too_large",
  },

  // Slow peers.
  { name: "silence after the connect", peer: () => {}, early: true, options: STALLED, ...unavailable() },
  {
    name: "silence after the status line",
    peer: stall("HTTP/1.1 200 OK\r\n"),
    options: STALLED,
    ...unavailable(),
  },
  {
    name: "headers a byte at a time",
    peer: drip("HTTP/1.1 200 OK\r\nx-slow: ", "a"),
    options: STALLED,
    ...unavailable(),
  },
  { name: "103 Early Hints for ever", peer: drip("", head("103 Early Hints")), options: STALLED, ...unavailable() },
  {
    name: "headers that never end",
    peer: flood("HTTP/1.1 200 OK\r\n", `x-more: ${"a".repeat(1000)}\r\n`),
    ...unavailable(),
  },
  { name: "silence after the headers", peer: stall(sized(BODY.length)), options: STALLED, ...unavailable() },
  {
    name: "silence before the last byte",
    peer: stall(sized(BODY.length), BODY.subarray(1)),
    options: STALLED,
    ...unavailable(),
  },
  {
    name: "a body a byte at a time",
    peer: drip(sized(1e6), "x"),
    claim: UNSIZED,
    options: STALLED,
    ...unavailable(),
  },
  {
    name: "a chunk extension that never ends",
    peer: drip(`${CHUNKED}1;`, "a"),
    options: STALLED,
    ...unavailable(),
  },
  {
    name: "all bytes, but no last chunk",
    peer: stall(CHUNKED, `${BODY.length.toString(16)}\r\n`, BODY, "\r\n"),
    options: STALLED,
    ...unavailable(),
  },

  // Encodings. What is inside is the right body each time.
  { name: "gzip", peer: answer("200 OK", ["content-encoding: gzip"], gzipSync(BODY)), ...unavailable() },
  { name: "GZIP", peer: answer("200 OK", ["content-encoding: GZIP"], gzipSync(BODY)), ...unavailable() },
  {
    name: "deflate",
    peer: answer("200 OK", ["content-encoding: deflate"], deflateSync(BODY)),
    ...unavailable(),
  },
  {
    name: "br",
    peer: answer("200 OK", ["content-encoding: br"], brotliCompressSync(BODY)),
    ...unavailable(),
  },
  {
    name: "gzip that is announced only",
    peer: answer("200 OK", ["content-encoding: gzip"], BODY),
    ...unavailable(),
  },
  {
    name: "an unknown encoding",
    peer: answer("200 OK", ["content-encoding: x-rot13"], BODY),
    ...unavailable(),
  },
  {
    name: "two encodings",
    peer: answer("200 OK", ["content-encoding: identity", "content-encoding: gzip"], gzipSync(BODY)),
    ...unavailable(),
  },
  { name: "gzip that is not announced", peer: answer("200 OK", [], gzipSync(BODY)), code: "claim_integrity" },
  {
    name: "a compression bomb",
    peer: answer("200 OK", ["content-encoding: gzip"], gzipSync(new Uint8Array(1 << 24))),
    ...unavailable(),
  },

  // Truncated bodies and wrong lengths.
  { name: "closed before the body", peer: close(sized(BODY.length)), ...unavailable() },
  { name: "closed within the body", peer: close(sized(BODY.length), BODY.subarray(1)), ...unavailable() },
  { name: "closed within a chunk", peer: close(CHUNKED, "ff\r\n", BODY), ...unavailable() },
  {
    name: "closed before the last chunk",
    peer: close(CHUNKED, `${BODY.length.toString(16)}\r\n`, BODY, "\r\n"),
    ...unavailable(),
  },
  {
    name: "closed early, without a length",
    peer: close(head("200 OK", "connection: close"), BODY.subarray(1)),
    code: "claim_integrity",
  },
  {
    name: "a length that is too short",
    peer: close(head("200 OK", "connection: close", `content-length: ${BODY.length - 1}`), BODY),
    code: "claim_integrity",
  },
  { name: "a length that is none", peer: close(sized("-1"), BODY), ...unavailable() },
  { name: "a length of 10,000 digits", peer: close(sized("9".repeat(10_000)), BODY), ...unavailable() },
  {
    name: "two lengths",
    peer: close(head("200 OK", "content-length: 1", `content-length: ${BODY.length}`), BODY),
    ...unavailable(),
  },
  {
    name: "a length and chunks",
    peer: close(head("200 OK", "transfer-encoding: chunked", "content-length: 3"), "3\r\nabc\r\n0\r\n\r\n"),
    ...unavailable(),
  },
  { name: "a chunk size that is none", peer: close(CHUNKED, "zz\r\n", BODY), ...unavailable() },
  {
    name: "a chunk size over 64 bits",
    peer: close(CHUNKED, "fffffffffffffffff\r\n", BODY),
    ...unavailable(),
  },
  { name: "an empty body for one that is not", peer: answer("200 OK"), code: "claim_integrity" },
  {
    name: "a body with one bit turned",
    peer: answer(
      "200 OK",
      [],
      BODY.map((byte, i) => (i === 3 ? byte ^ 1 : byte)),
    ),
    code: "claim_integrity",
  },
  {
    name: "the right digest for fewer bytes than declared",
    peer: answer("200 OK", [], BODY),
    claim: { ...CLAIM, size: BODY.length + 1 },
    code: "claim_integrity",
  },

  // Resets at every stage.
  { name: "reset at the connect", peer: reset(), early: true, ...unavailable() },
  { name: "closed at the connect", peer: close(), early: true, ...unavailable() },
  { name: "reset after the request", peer: reset(), ...unavailable() },
  { name: "closed after the request", peer: close(), ...unavailable() },
  { name: "reset within the headers", peer: reset("HTTP/1.1 200 OK\r\nx-h"), ...unavailable() },
  { name: "reset after the headers", peer: reset(sized(BODY.length)), ...unavailable() },
  { name: "reset within the body", peer: reset(sized(BODY.length), BODY.subarray(1)), ...unavailable() },
  { name: "reset within a chunk", peer: reset(CHUNKED, "ff\r\n", BODY), ...unavailable() },

  // Not HTTP.
  { name: "a TLS record", peer: close(Uint8Array.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])), ...unavailable() },
  { name: "HTTP/0.9", peer: close(BODY), ...unavailable() },
  { name: "an HTTP/2 preface", peer: close("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), ...unavailable() },
  {
    name: "a NUL in a header",
    peer: close(head("200 OK", "x-a: \0", `content-length: ${BODY.length}`), BODY),
    ...unavailable(),
  },
];

const servers = new Map<string, TestServer>();
afterAll(async () => {
  for (const server of servers.values()) await server.close();
});

describe("a redeem client under attack", () => {
  test.each(ATTACKS)("$name", async ({ name, peer, early = false, code, claim = CLAIM, options, like = {} }) => {
    let requests = 0;
    const server = await rawServer((socket) => {
      if (early) peer(socket);
      onRequest(socket, () => {
        requests++;
        if (!early) peer(socket);
      });
    });
    servers.set(name, server);
    const client = createRedeemClient({ baseUrl: server.url, headers: { authorization: TOKEN }, ...options });
    const error = await failureOf(client.redeem(claim));
    expect(error).toMatchObject({ code, retryable: code === "claim_check_unavailable", field: null, ...like });
    const timedOut = (error as Error).message.includes("no complete answer within");
    expect(timedOut).toBe(options === STALLED);
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(new RegExp(`${TOKEN}|${SIGNATURE}`));
    expect(requests).toBeLessThanOrEqual(1);
    expect(canary.taken()).toBe(0);
  });

  // Node's fetch opens an idle connection after one that was broken off, and closes it after 4 seconds of its own.
  test("no attack leaves a socket open", { timeout: 15_000 }, async () => {
    expect(servers.size).toBe(ATTACKS.length);
    const open = () => [...servers].filter(([, server]) => server.open() > 0).map(([name]) => name);
    await vi.waitFor(() => expect(open()).toEqual([]), { timeout: 10_000, interval: 20 });
  });

  test("nobody listens", async () => {
    const server = await rawServer(() => {});
    await server.close();
    const error = await failureOf(createRedeemClient({ baseUrl: server.url }).redeem(CLAIM));
    expect(error).toMatchObject({ code: "claim_check_unavailable", retryable: true });
    expect((error as Error).message).toContain("ECONNREFUSED");
    expect((error as Error).cause).toMatchObject({ syscall: "connect" });
  });
});

describe("what is refused without a request", () => {
  const refs = [
    `urn:ankusa:claim:v1:..:${CLAIM_ID}`,
    `urn:ankusa:claim:v1:../..:${CLAIM_ID}`,
    `urn:ankusa:claim:v1:acme/..:${CLAIM_ID}`,
    `urn:ankusa:claim:v1:acme%2f..:${CLAIM_ID}`,
    `urn:ankusa:claim:v1:a\\b:${CLAIM_ID}`,
    `urn:ankusa:claim:v1:@evil.example:${CLAIM_ID}`,
    `urn:ankusa:claim:v1::${CLAIM_ID}`,
    `urn:ankusa:claim:v1:${"a".repeat(65)}:${CLAIM_ID}`,
    `urn:ankusa:claim:v1:${"a".repeat(10_000_000)}:${CLAIM_ID}`,
    "urn:ankusa:claim:v1:acme:../../../../etc/passwd",
    "urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y00",
    `urn:ankusa:claim:v1:acme:${CLAIM_ID.toLowerCase()}`,
    `urn:ankusa:claim:v1:acme:${CLAIM_ID}\n`,
    `urn:ankusa:claim:v1:acme:${CLAIM_ID}?x=1`,
    `urn:ankusa:claim:v1:acme:${CLAIM_ID}#x`,
    `urn:ankusa:claim:v2:acme:${CLAIM_ID}:1:&${SIGNATURE.slice(1)}`,
    "http://127.0.0.1/v1/claims/acme/x",
    "",
    null,
  ];
  const digests = ["", "00", CLAIM.sha256.toUpperCase(), `${CLAIM.sha256}\n`, `${CLAIM.sha256}0`, null];

  test.each([
    ...refs.map((ref) => ({ name: `ref ${String(ref).slice(0, 60)}`, claim: { ref, sha256: CLAIM.sha256 } })),
    ...digests.map((digest) => ({ name: `sha256 ${digest}`, claim: { ref: REF, sha256: digest } })),
  ])("$name", async ({ claim }) => {
    let requests = 0;
    const fetch = async () => {
      requests++;
      return new Response(BODY);
    };
    const client = createRedeemClient({ baseUrl: "http://127.0.0.1:9", fetch });
    const error = await failureOf(client.redeem(claim as RedeemRequest));
    expect(error).toMatchObject({ code: "invalid_claim_ref", retryable: false });
    expect(requests).toBe(0);
  });
});

/** Reads all that comes, and tells when it has read a whole request. */
function onRequest(socket: Socket, then: () => void): void {
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("latin1");
    if (!text.endsWith("\r\n\r\n")) return;
    text = "";
    then();
  });
}
