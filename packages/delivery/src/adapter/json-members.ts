import { tryDecodeMessage } from "@sinkwire/message";

const NOT_A_NAME = /[^\s,]/g;
const NOT_A_COLON = /[^\s:]/g;

/**
 * Takes a JSON object apart without parsing its values: an envelope is opened and what it holds keeps its own text, so
 * that it is then read as strictly as if it had come alone. The object itself is read as strictly as a message: no name
 * twice at any level, no lone surrogate, at most 64 levels. Linear in the text, whatever it holds.
 *
 * @param text - what may be a JSON object
 * @returns the text of each member's value; null when it is no such object, which a decode of the text then says
 */
export function jsonMembers(text: string): ReadonlyMap<string, string> | null {
  if (!isStrictObject(text)) return null;
  const members = new Map<string, string>();
  let at = text.indexOf("{") + 1;
  for (;;) {
    at = seek(text, NOT_A_NAME, at);
    if (text[at] === "}") return members;
    const endOfName = endOfString(text, at);
    const name = JSON.parse(text.slice(at, endOfName)) as string;
    const start = seek(text, NOT_A_COLON, endOfName);
    at = endOfValue(text, start);
    members.set(name, text.slice(start, at).trimEnd());
  }
}

/** The decoder looks for a message only in what has passed its checks of the JSON. */
function isStrictObject(text: string): boolean {
  const read = tryDecodeMessage(text, { maxBytes: Number.MAX_SAFE_INTEGER });
  return read.ok || (read.error.code !== "invalid_json" && read.error.code !== "not_an_object");
}

/** The next place at or after `at` that the pattern, a global one, finds. */
function seek(text: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex - 1;
}

/** Just after the closing quote of the string that opens at `at`. */
function endOfString(text: string, at: number): number {
  for (let i = text.indexOf('"', at + 1); ; i = text.indexOf('"', i + 1)) {
    let backslashes = 0;
    while (text[i - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return i + 1;
  }
}

/** Where the value that starts at `at` ends, in text that is known to be JSON. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  for (let i = at; ; i++) {
    const character = text[i];
    if (character === '"') {
      i = endOfString(text, i) - 1;
    } else if (character === "{" || character === "[") {
      depth++;
    } else if (character === "}" || character === "]") {
      if (depth-- === 0) return i;
    } else if (character === "," && depth === 0) {
      return i;
    }
  }
}
