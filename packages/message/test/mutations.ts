import fc from "fast-check";

/** Pieces that decoders trip over. */
const SPLICES = [
  "\ufeff",
  "\u0000",
  "NaN",
  "1e400",
  "9007199254740993",
  "-0",
  "null",
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  "[".repeat(70),
  '{"a":'.repeat(70),
  '"id":"x",',
  '"\\u0069d":"x",',
  '"__proto__":{},',
  '"claim":null,',
  "//",
  ",",
  '"',
  "\\",
  "}",
  "=",
].map((piece) => Buffer.from(piece));

interface Edit {
  readonly at: number;
  readonly kind: "flip" | "insert" | "delete" | "double" | "splice" | "cut";
  readonly value: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom("flip", "insert", "delete", "double", "splice", "cut"),
  value: fc.nat(255),
});

/** One to four small edits of bytes. */
export function mutationsOf(valid: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return fc.tuple(valid, fc.array(edit, { minLength: 1, maxLength: 4 })).map(([bytes, edits]) => {
    let result = Buffer.from(bytes);
    for (const one of edits) result = apply(result, one);
    return new Uint8Array(result);
  });
}

function apply(bytes: Buffer<ArrayBuffer>, { at, kind, value }: Edit): Buffer<ArrayBuffer> {
  const place = at % (bytes.length + 1);
  const before = bytes.subarray(0, place);
  const after = bytes.subarray(place);
  switch (kind) {
    case "flip":
      return Buffer.concat([before, Buffer.from([(after[0] ?? 0) ^ (value || 1)]), after.subarray(1)]);
    case "insert":
      return Buffer.concat([before, Buffer.from([value]), after]);
    case "delete":
      return Buffer.concat([before, after.subarray(1 + (value % 8))]);
    case "double":
      return Buffer.concat([before, after.subarray(0, value % 32), after]);
    case "splice":
      return Buffer.concat([before, SPLICES[value % SPLICES.length] as Buffer, after]);
    case "cut":
      return Buffer.from(before);
  }
}
