import { isSinkwireError } from "@sinkwire/message";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PackClaim, type PackSource, readClaim, writePack } from "../src/index.js";
import { bytesOf, claimIdAt, failureOf } from "./support.js";

const CLAIMS: readonly PackClaim[] = [
  {
    claim_id: claimIdAt(0),
    id: "evt_1",
    content_type: "application/json",
    received_at: 1790258591000,
    body: bytesOf('{"a":1}'),
  },
  { claim_id: claimIdAt(1), id: 'é"\u2028\uffff\u0007', content_type: null, received_at: -1, body: bytesOf("") },
];
/** The pack of {@link CLAIMS}, made with Python's struct, zlib and hashlib; `unzip -t` and `zipfile` accept it. */
const PACK = Buffer.from(
  "UEsDBBQAAAAAAAAAIQAACE5uEAAAABAAAAAJAAAAaW5kZXguYmluAAAAbwAAAAcAAACuAAAAAFBLAwQUAAAAAAAAACEAr6wbVgcAAAAHAAAAGgAA" +
    "ADAxTTM5Vk1EOFJBM0M1SFI0UkJWNjdZMDAweyJhIjoxfVBLAwQUAAAAAAAAACEAAAAAAAAAAAAAAAAAGgAAADAxTTM5Vk1EOFJBM0M1SFI0UkJW" +
    "NjdZMDAxUEsDBBQAAAAAAAAAIQCvHCBMuQEAALkBAAANAAAAbWFuaWZlc3QuanNvbnsidiI6MSwiY2xhaW1zIjpbeyJjbGFpbV9pZCI6IjAxTTM5" +
    "Vk1EOFJBM0M1SFI0UkJWNjdZMDAwIiwiaWQiOiJldnRfMSIsIm9mZnNldCI6MTExLCJsZW5ndGgiOjcsInNoYTI1NiI6IjAxNWFiZDdmNWNjNTdh" +
    "MmRkOTRiNzU5MGYwNGFkODA4NDI3MzkwNWVlMzNlYzVjZWJlYWU2MjI3NmE5N2Y4NjIiLCJjb250ZW50X3R5cGUiOiJhcHBsaWNhdGlvbi9qc29u" +
    "IiwicmVjZWl2ZWRfYXQiOjE3OTAyNTg1OTEwMDB9LHsiY2xhaW1faWQiOiIwMU0zOVZNRDhSQTNDNUhSNFJCVjY3WTAwMSIsImlkIjoiw6lcIuKA" +
    "qFx1ZmZmZlx1MDAwNyIsIm9mZnNldCI6MTc0LCJsZW5ndGgiOjAsInNoYTI1NiI6ImUzYjBjNDQyOThmYzFjMTQ5YWZiZjRjODk5NmZiOTI0Mjdh" +
    "ZTQxZTQ2NDliOTM0Y2E0OTU5OTFiNzg1MmI4NTUiLCJjb250ZW50X3R5cGUiOm51bGwsInJlY2VpdmVkX2F0IjotMX1dfVBLAQIUABQAAAAAAAAA" +
    "IQAACE5uEAAAABAAAAAJAAAAAAAAAAAAAAAAAAAAAABpbmRleC5iaW5QSwECFAAUAAAAAAAAACEAr6wbVgcAAAAHAAAAGgAAAAAAAAAAAAAAAAA3" +
    "AAAAMDFNMzlWTUQ4UkEzQzVIUjRSQlY2N1kwMDBQSwECFAAUAAAAAAAAACEAAAAAAAAAAAAAAAAAGgAAAAAAAAAAAAAAAAB2AAAAMDFNMzlWTUQ4" +
    "UkEzQzVIUjRSQlY2N1kwMDFQSwECFAAUAAAAAAAAACEArxwgTLkBAAC5AQAADQAAAAAAAAAAAAAAAACuAAAAbWFuaWZlc3QuanNvblBLBQYAAAAA" +
    "BAAEAAIBAACSAgAAAAA=",
  "base64",
);

/** A change to bytes 4 long, big endian as in the index, or little endian as in ZIP headers. */
function patched(change: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(PACK);
  change(new DataView(bytes.buffer));
  return bytes;
}

describe("writePack", () => {
  test("writes exactly these bytes", async () => {
    expect(Buffer.from(await writePack(CLAIMS)).toString("hex")).toBe(PACK.toString("hex"));
  });

  test("copies the bodies before it waits", async () => {
    const body = bytesOf("before");
    const writing = writePack([{ ...(CLAIMS[0] as PackClaim), body }]);
    body.fill(0);
    expect(Buffer.from(await readClaim(await writing, 0)).toString()).toBe("before");
  });

  const good = CLAIMS[0] as PackClaim;
  test.each<[field: string, claims: unknown]>([
    ["claims", null],
    ["claims", {}],
    ["claims", { length: 1 }],
    ["claims", []],
    ["claims", [null]],
    ["claim_id", [{}]],
    ["claim_id", [{ ...good, claim_id: `${good.claim_id}\n` }]],
    ["claim_id", [{ ...good, claim_id: good.claim_id.toLowerCase() }]],
    ["claim_id", [{ ...good, claim_id: "8".padEnd(26, "0") }]],
    ["claim_id", [{ ...good, claim_id: "../../../../../../etc/pass" }]],
    ["claim_id", [{ ...good, claim_id: claimIdAt(1) }]],
    ["claim_id", [good, good]],
    ["claim_id", [good, { ...good, claim_id: "01M39VMD8RA3C5HR4RBV68Y001" }]],
    ["claim_id", [{ ...good, claim_id: claimIdAt(1), id: "", body: null }]],
    ["id", [{ ...good, id: undefined }]],
    ["id", [{ ...good, id: "" }]],
    ["id", [{ ...good, id: "\ud800" }]],
    ["id", [{ ...good, id: 1, content_type: 1 }]],
    ["content_type", [{ ...good, content_type: 1 }]],
    ["content_type", [{ ...good, content_type: "a\udc00" }]],
    ["received_at", [{ ...good, received_at: null }]],
    ["received_at", [{ ...good, received_at: 1.5 }]],
    ["received_at", [{ ...good, received_at: 2 ** 53 }]],
    ["received_at", [{ ...good, received_at: "1" }]],
    ["body_base64", [{ ...good, body: undefined }]],
    ["body_base64", [{ ...good, body: "text" }]],
    ["body_base64", [{ ...good, body: [1, 2] }]],
    ["body_base64", [{ ...good, body: new Uint16Array(1) }]],
  ])("refuses %s %#", async (field, claims) => {
    const error = await failureOf(writePack(claims as PackClaim[]));
    expect(error).toMatchObject({ code: "invalid_hook", field, retryable: false });
  });
});

describe("readClaim", () => {
  test("gives back what was written, from bytes and from a ranged reader", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 40 }), async (bodies) => {
        const pack = await writePack(
          bodies.map((body, i) => ({ claim_id: claimIdAt(i), id: "x", received_at: i, body })),
        );
        for (const [position, body] of bodies.entries()) {
          const reads: number[][] = [];
          const ranged = async (offset: number, length: number) => {
            reads.push([offset, length]);
            return pack.subarray(offset, offset + length);
          };
          expect(Buffer.from(await readClaim(pack, position)).equals(body)).toBe(true);
          expect(Buffer.from(await readClaim(ranged, position)).equals(body)).toBe(true);
          expect(reads[0]).toEqual([0, 39 + 8 * (position + 1)]);
          expect(reads.length).toBe(body.length === 0 ? 1 : 2);
        }
        expect(await failureOf(readClaim(pack, bodies.length))).toMatchObject({ code: "claim_not_found" });
      }),
    );
  });

  test("gives memory of its own", async () => {
    const pack = await writePack(CLAIMS);
    const body = await readClaim(pack, 0);
    pack.fill(0);
    expect(Buffer.from(body).toString()).toBe('{"a":1}');
    expect(body.buffer.byteLength).toBe(body.length);
  });

  test.each([2, 3, 65_535, 65_536, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "has no position %d",
    async (position) => {
      expect(await failureOf(readClaim(PACK, position))).toMatchObject({ code: "claim_not_found", retryable: false });
    },
  );

  test("a pack that is not there has no claim", async () => {
    expect(await failureOf(readClaim(async () => null, 0))).toMatchObject({ code: "claim_not_found" });
  });

  test.each<[name: string, source: unknown]>([
    ["null", null],
    ["text", "PK"],
    ["a reader that gives undefined", async () => undefined],
    ["a reader that gives text", async () => "PK"],
  ])("refuses %s as a source", async (_name, source) => {
    const error = await failureOf(readClaim(source as PackSource, 0));
    expect(error).toMatchObject({ code: "invalid_hook", field: "source", retryable: false });
  });

  test.each<[name: string, pack: Uint8Array]>([
    ["no bytes", new Uint8Array()],
    ["a header cut off", PACK.subarray(0, 38)],
    ["an index cut off", PACK.subarray(0, 46)],
    ["a body cut off", PACK.subarray(0, 117)],
    ["another signature", patched((view) => view.setUint8(0, 0x51))],
    ["a compressed index", patched((view) => view.setUint16(8, 8, true))],
    ["sizes that differ", patched((view) => view.setUint32(18, 24, true))],
    [
      "half a record in its index",
      patched((view) => {
        view.setUint32(18, 15, true);
        view.setUint32(22, 15, true);
      }),
    ],
    [
      "an index of 4 GiB less one",
      patched((view) => {
        view.setUint32(18, 0xffffffff, true);
        view.setUint32(22, 0xffffffff, true);
      }),
    ],
    [
      "an index of 4 GiB less eight",
      patched((view) => {
        view.setUint32(18, 0xfffffff8, true);
        view.setUint32(22, 0xfffffff8, true);
      }),
    ],
    ["a long name", patched((view) => view.setUint16(26, 0xffff, true))],
    ["an extra field", patched((view) => view.setUint16(28, 4, true))],
    ["another first entry", patched((view) => view.setUint8(30, 0x78))],
    ["an offset past the end", patched((view) => view.setUint32(39, PACK.length + 1))],
    ["an offset of 4 GiB less one", patched((view) => view.setUint32(39, 0xffffffff))],
    ["an offset in the index", patched((view) => view.setUint32(39, 39))],
    ["an offset in the header of the claim", patched((view) => view.setUint32(39, 110))],
    ["a length past the end", patched((view) => view.setUint32(43, PACK.length))],
    ["a length of 4 GiB less one", patched((view) => view.setUint32(43, 0xffffffff))],
  ])("refuses a pack with %s", async (_name, pack) => {
    const expected = { code: "claim_integrity", retryable: false, field: null };
    expect(await failureOf(readClaim(pack, 0))).toMatchObject(expected);
    const ranged = async (offset: number, length: number) => pack.subarray(offset, offset + length);
    expect(await failureOf(readClaim(ranged, 0))).toMatchObject(expected);
  });

  test("refuses a reader that gives more than was asked for", async () => {
    const greedy = async (offset: number) => PACK.subarray(offset);
    expect(await failureOf(readClaim(greedy, 0))).toMatchObject({ code: "claim_integrity" });
  });

  test("throws nothing but its own error, whatever the bytes", async () => {
    const mutation = fc.record({ at: fc.nat(PACK.length - 1), byte: fc.nat(255) });
    const mutated = fc
      .record({ cut: fc.nat(PACK.length), mutations: fc.array(mutation, { maxLength: 6 }) })
      .map(({ cut, mutations }) => {
        const bytes = new Uint8Array(PACK);
        for (const { at, byte } of mutations) bytes[at % 64] = byte;
        return bytes.subarray(0, cut);
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, fc.uint8Array({ maxLength: 80 })), fc.nat(3), async (bytes, position) => {
        const outcome = await readClaim(bytes, position).catch((error: unknown) => error);
        expect(outcome instanceof Uint8Array || isSinkwireError(outcome)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
