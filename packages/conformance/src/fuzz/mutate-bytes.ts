import type { Random } from "./random.js";

/** Pieces of bytes that decoders of JSON and of UTF-8 trip over. */
const PIECES: readonly Buffer[] = [
  ...[
    "\ufeff",
    "\u0000",
    "\u000b",
    "\u00a0",
    "NaN",
    "-Infinity",
    "1e400",
    "null",
    "//",
    "/**/",
    ",",
    ":",
    '"',
    "\\",
    "}",
    "]",
  ],
  ...['"\\ud800"', '"\\ud83d\\ude00"', '"\\udc00\\ud800"', "\\u0000", '"\\/"', '"\\x41"', "'a'", "\u2028"],
  ...['"id":"x",', '"\\u0069d":"x",', '"ID":"x",', '"__proto__":{"v":1},', '"claim":null,', '"headers":{},'],
  ...["[".repeat(62), '{"a":'.repeat(63), "[".repeat(64) + "]".repeat(64)],
]
  .map((piece) => Buffer.from(piece))
  .concat(
    [[0xc0, 0xaf], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0x80], [0xc3]].map(
      (piece) => Buffer.from(piece),
    ),
  );

/** Edits bytes in one place. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at);
  switch (random.below(8)) {
    case 0:
      return Buffer.concat([before, Buffer.from([(after[0] ?? 0) ^ (1 << random.below(8))]), after.subarray(1)]);
    case 1:
      return Buffer.concat([before, random.bytes(1), after]);
    case 2:
      return Buffer.concat([before, after.subarray(random.between(1, 8))]);
    case 3:
      return Buffer.concat([before, after.subarray(0, random.between(1, 40)), after]);
    case 4:
      return Buffer.from(before);
    case 5:
      return Buffer.concat([before, random.bytes(1), after.subarray(1)]);
    default:
      return Buffer.concat([before, random.pick(PIECES), after]);
  }
}
