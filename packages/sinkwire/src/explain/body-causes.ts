import { createHash } from "node:crypto";
import { type Cause, fromAnyBase64, kindOf, parseJson } from "./cause.js";

/** Why `body_base64` may have been refused. */
export function base64Causes(given: unknown): Cause[] {
  if (typeof given !== "string") {
    return [{ what: `body_base64 is ${kindOf(given)}.`, todo: "Write the body's bytes as one base64 string." }];
  }
  if (/^data:[^,]*,/.test(given.slice(0, 200)))
    return [{ what: "It is a data: URL.", todo: "Write only what follows the comma." }];
  if (/^\s*[[{"<]/.test(given))
    return [{ what: "It looks like the body itself.", todo: "Encode its bytes as base64." }];
  const stray = /[^A-Za-z0-9+/=]/.exec(given);
  if (stray !== null)
    return [
      {
        what: `Character ${stray.index + 1} of it (${nameOf(stray[0])}) is not of the alphabet.`,
        todo: adviceFor(stray[0]),
      },
    ];
  const padding = given.indexOf("=");
  const data = padding === -1 ? given : given.slice(0, padding);
  if (data.length % 4 === 1)
    return [
      { what: "Its last character stands alone: no bytes have that base64.", todo: "It was cut off on the way." },
    ];
  if (padding !== -1 && /[^=]/.test(given.slice(padding)))
    return [
      { what: "There is padding (=) in the middle.", todo: "Encode the whole body at once, not piece by piece." },
    ];
  if (data.length + ((4 - (data.length % 4)) % 4) !== given.length) {
    return [
      {
        what: "Its padding (=) is missing or too long.",
        todo: "Write padded base64 (RFC 4648 section 4), a multiple of 4 characters.",
      },
    ];
  }
  return [
    {
      what: "The unused bits of its last character are not zero.",
      todo: "Encode with a standard library: such base64 is hand-made or was altered.",
    },
  ];
}

/** Why `size` may differ from the body's length. */
export function sizeCauses(size: number, base64: string): Cause[] {
  const body = Buffer.from(base64, "base64");
  const text = body.toString();
  const twice = fromAnyBase64(text);
  if (size === base64.length)
    return [{ what: "size counts the base64 text.", todo: `Write the bytes before base64: ${body.length}.` }];
  if (twice?.length === size)
    return [
      { what: "The body was encoded as base64 twice: decoded once more it has this size.", todo: "Encode once." },
    ];
  if (size === text.length || size === [...text].length) {
    return [
      {
        what: "size counts characters.",
        todo: `Write the bytes of UTF-8: ${body.length} (Buffer.byteLength, len(text.encode())).`,
      },
    ];
  }
  if (size > body.length)
    return [{ what: `${size - body.length} bytes are missing.`, todo: "Look where the body was cut off or trimmed." }];
  return [
    {
      what: `There are ${body.length - size} bytes too many.`,
      todo: "Look what added to the body after size was taken (a newline, a re-encoding).",
    },
  ];
}

/** What a body may have been when its digest was taken. */
const BEFORE: readonly (readonly [
  what: string,
  todo: string,
  before: (body: Buffer, base64: string) => Buffer | string | null,
])[] = [
  [
    "sha256 is the digest of the base64 text.",
    "Take the digest of the bytes before base64.",
    (_body, base64) => base64,
  ],
  [
    "sha256 is the digest of nothing.",
    "The body was read already (a stream is read once) when the digest was taken.",
    () => "",
  ],
  [
    "sha256 is the digest of the body without the white space around it.",
    "Something added white space, or trimmed for the digest: both must see the same bytes.",
    (body) => body.toString().trim(),
  ],
  [
    "sha256 is the digest of the body with a newline after it.",
    "Something trimmed the body (echo and sha256sum add a newline).",
    (body) => `${body}\n`,
  ],
  [
    "sha256 is the digest of the same JSON written compactly.",
    "Something parsed the body and wrote it again: carry the bytes as they arrived.",
    (body) => rewritten(body, 0),
  ],
  [
    "sha256 is the digest of the same JSON written with indents.",
    "Something parsed the body and wrote it again: carry the bytes as they arrived.",
    (body) => rewritten(body, 2),
  ],
];

/** Why the body's digest may differ from `sha256`. */
export function integrityCauses(sha256: string, base64: string): Cause[] {
  const body = Buffer.from(base64, "base64");
  for (const [what, todo, before] of BEFORE) {
    const bytes = before(body, base64);
    if (bytes !== null && createHash("sha256").update(bytes).digest("hex") === sha256) return [{ what, todo }];
  }
  const digest = createHash("sha256").update(body).digest("hex");
  return [
    {
      what: `The body's digest is ${digest}.`,
      todo: "Body and sha256 are not of one hook, or the body was altered: do not handle it; ask the producer for the original.",
    },
  ];
}

function rewritten(body: Buffer, indent: number): string | null {
  const value = parseJson(body.toString());
  return value === undefined ? null : JSON.stringify(value, null, indent);
}

function nameOf(character: string): string {
  const names: Readonly<Record<string, string>> = { "\n": "a newline", "\r": "a carriage return", " ": "a space" };
  const code = character.codePointAt(0) ?? 0;
  const ascii = code > 0x20 && code < 0x7f;
  return names[character] ?? (ascii ? character : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`);
}

function adviceFor(character: string): string {
  if (character === "-" || character === "_") return "This is base64url: use the standard alphabet with + and /.";
  if (character === "\n" || character === "\r")
    return "Write it in one line (base64 -w0; not the MIME form with line breaks).";
  return "Encode the body's bytes with standard base64.";
}
