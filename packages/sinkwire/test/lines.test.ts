import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectLines } from "../src/io/detect-lines.js";
import { readLines } from "../src/io/lines.js";

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    yield bytes.subarray(from, end);
    from = end;
  }
}

async function gather(bytes: Uint8Array, cuts: readonly number[], maxBytes: number): Promise<[string, boolean][]> {
  const lines: [string, boolean][] = [];
  for await (const { bytes: line, cut } of readLines(inPieces(bytes, cuts), maxBytes)) {
    lines.push([Buffer.from(line).toString("latin1"), cut]);
  }
  return lines;
}

const someText = fc.array(fc.constantFrom("a", "b", "\n", "\r", "\r\n")).map((parts) => parts.join(""));
const someCuts = fc.array(fc.nat(), { maxLength: 8 });

describe("lines of a stream", () => {
  test("are the same however the stream is cut, and those of a plain split", async () => {
    await fc.assert(
      fc.asyncProperty(someText, someCuts, async (text, cuts) => {
        const expected = text.split("\n").map((line) => line.replace(/\r$/, ""));
        if (text === "" || text.endsWith("\n")) expected.pop();
        const lines = await gather(Buffer.from(text), cuts, 1000);
        expect(lines).toEqual(expected.map((line) => [line, false]));
      }),
    );
  });

  test("keep one byte more than the cap and lose none of the next line", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 10 }),
        someCuts,
        async (length, cap, cuts) => {
          const lines = await gather(Buffer.from(`${"x".repeat(length)}\nnext`), cuts, cap);
          expect(lines[0]).toEqual(["x".repeat(Math.min(length, cap + 1)), length > cap]);
          expect(lines[1]).toEqual(["next".slice(0, cap + 1), cap < 4]);
        },
      ),
    );
  });
});

describe("the form of a stream", () => {
  test.for([
    ['{"v": 1}\n{"v": 1}', true],
    ['{"v": 1}\nno', true],
    ['{"v": 1}\n', false],
    ['{"v": 1}\n \r\n\t', false],
    ['{\n"v": 1}', false],
    ["", false],
    ["no\n{}", false],
  ] as const)("%j: one message a line is %s", async ([text, ndjson]) => {
    await fc.assert(
      fc.asyncProperty(someCuts, async (cuts) => {
        const detected = await detectLines(inPieces(Buffer.from(text), cuts), 1000);
        const parts: Uint8Array[] = [];
        for await (const chunk of detected.chunks) parts.push(chunk);
        expect([detected.ndjson, Buffer.concat(parts).toString()]).toEqual([ndjson, text]);
      }),
    );
  });
});
