import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "../src/line-splitter.js";

function split(chunks: readonly Buffer[], maxBytes?: number): { readonly lines: string[]; readonly overlong: number } {
  const lines: string[] = [];
  let overlong = 0;
  const splitter = new LineSplitter(
    (line) => lines.push(line.toString("latin1")),
    () => overlong++,
    maxBytes,
  );
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { lines, overlong };
}

describe("LineSplitter", () => {
  it("gives the same lines however the bytes are cut, and ends them at LF alone", () => {
    const byte = fc.constantFrom(0x0a, 0x0a, 0x0d, 0x41, 0xe2, 0x80, 0xa8, 0x85);
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ max: 255, maxLength: 6 })), fc.array(byte), (pieces, tail) => {
        const chunks = [...pieces.map((piece) => Buffer.from(piece)), Buffer.from(tail)];
        const whole = Buffer.concat(chunks).toString("latin1").split("\n");
        if (whole.at(-1) === "") whole.pop();
        expect(split(chunks).lines).toEqual(whole);
      }),
    );
  });

  it("takes a line of exactly the limit", () => {
    expect(split([Buffer.from("12345\n678")], 5)).toEqual({ lines: ["12345", "678"], overlong: 0 });
  });

  it("stops at a line over the limit, with or without its end, and says so once", () => {
    expect(split([Buffer.from("a\n123456\nb\n"), Buffer.from("c\n")], 5)).toEqual({ lines: ["a"], overlong: 1 });
    expect(split([Buffer.from("123"), Buffer.from("456"), Buffer.from("789")], 5)).toEqual({ lines: [], overlong: 1 });
  });
});
