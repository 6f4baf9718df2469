/** Deepest nesting of a message (rule 1.2-10); the message object is level 1. */
const MAX_DEPTH = 64;
/** The rule that asks for JSON's grammar. */
const GRAMMAR = "1.2-6";

/** What makes a text no JSON text that a decoder takes. */
export interface JsonFault {
  /** Index in the text, in UTF-16 units. */
  readonly at: number;
  /** The rule of `conformance/README.md`. */
  readonly rule: string;
  /** What is wrong there, in words. */
  readonly what: string;
  /** What to do about it, when that is known. */
  readonly todo: string | null;
  /** Where in the value: `headers.x-a`, `[3].id`; `""` at the top. */
  readonly path: string;
  /** Index of what it collides with, for a name that stands twice. */
  readonly firstAt: number | null;
}

/** A member of the top-level object. */
export interface Member {
  /** Index of its name's first quote. */
  readonly nameAt: number;
  /** Index of its value. */
  readonly valueAt: number;
  /** Index after its value. */
  readonly valueEnd: number;
}

/** What a scan found. */
export interface JsonScan {
  /** The first fault in the text, or null. */
  readonly fault: JsonFault | null;
  /** Members of the top-level object up to the fault, by unescaped name. */
  readonly members: ReadonlyMap<string, Member>;
  /** Index after the first complete value, white space left out; null when there is none. */
  readonly end: number | null;
}

/**
 * Reads one JSON text as a decoder does and says where it goes wrong: grammar, a name that stands twice, lone
 * surrogates, nesting, anything after the value.
 *
 * @param text - well-formed text
 */
export function scanJson(text: string): JsonScan {
  const scanner = new Scanner(text);
  try {
    scanner.run();
    return { fault: null, members: scanner.members, end: scanner.end };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { fault: error.fault, members: scanner.members, end: scanner.end };
  }
}

class Stop extends Error {
  constructor(readonly fault: JsonFault) {
    super();
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
/** Words of other notations and what JSON has in their place. */
const FOREIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ["NaN", "JSON has no NaN: write null or a number"],
  ["Infinity", "JSON has no Infinity: write null or a number"],
  ["undefined", "JSON has no undefined: write null or leave the name out"],
  ["nil", "write null"],
  ["None", "this looks like Python's repr(): use json.dumps"],
  ["True", "this looks like Python's repr(): use json.dumps"],
  ["False", "this looks like Python's repr(): use json.dumps"],
]);

class Scanner {
  readonly members: Map<string, Member> = new Map();
  end: number | null = null;
  readonly #text: string;
  #i = 0;
  readonly #path: (string | number)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    this.#space();
    if (this.#i === this.#text.length)
      this.#stop("there is nothing but white space", "check that the producer wrote a body");
    this.#value(0);
    this.end = this.#i;
    this.#space();
    if (this.#i < this.#text.length) {
      this.#stop("something follows the end of the JSON text", "one message is one JSON text: send each on its own", {
        rule: "1.2-7",
      });
    }
  }

  #stop(
    what: string,
    todo: string | null = null,
    more: Partial<Pick<JsonFault, "at" | "rule" | "firstAt">> = {},
  ): never {
    const path = this.#path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
    const fault = { at: this.#i, rule: GRAMMAR, firstAt: null, ...more, what, todo };
    throw new Stop({ ...fault, path: path.startsWith(".") ? path.slice(1) : path });
  }

  #space(): void {
    while (" \t\n\r".includes(this.#text.charAt(this.#i)) && this.#i < this.#text.length) this.#i++;
    if (this.#text.startsWith("//", this.#i) || this.#text.startsWith("/*", this.#i)) {
      this.#stop("a comment", "JSON has no comments: take it out");
    }
  }

  #value(depth: number): void {
    const first = this.#text.charAt(this.#i);
    if (first === "{") this.#object(depth + 1);
    else if (first === "[") this.#array(depth + 1);
    else if (first === '"') this.#string();
    else if (!this.#literal() && !this.#number()) this.#unexpected("a value");
  }

  #literal(): boolean {
    const found = ["true", "false", "null"].find((literal) => this.#text.startsWith(literal, this.#i));
    this.#i += found?.length ?? 0;
    return found !== undefined;
  }

  #number(): boolean {
    NUMBER.lastIndex = this.#i;
    if (!NUMBER.test(this.#text)) return false;
    this.#i = NUMBER.lastIndex;
    if (/[0-9.eE+]/.test(this.#text.charAt(this.#i))) {
      this.#stop("a number that JSON does not know", "no leading zeros, digits on both sides of the point");
    }
    return true;
  }

  #unexpected(wanted: string): never {
    const first = this.#text.charAt(this.#i);
    if (first === "")
      this.#stop(
        `the text ends where ${wanted} was expected`,
        "the bytes were cut off on the way: compare their length with the producer's",
      );
    if (first === "'")
      this.#stop("a single quote", "JSON strings stand in double quotes (Python's repr() does not: use json.dumps)");
    WORD.lastIndex = this.#i;
    const word = WORD.exec(this.#text)?.[0];
    const todo = word === undefined ? undefined : FOREIGN_WORDS.get(word);
    if (todo !== undefined) this.#stop(`${word} is no JSON value`, todo);
    if (word !== undefined && wanted === "a name in double quotes")
      this.#stop("a name without quotes", "JSON names stand in double quotes");
    this.#stop(`${wanted} was expected`, null);
  }

  #deeper(depth: number): void {
    if (depth > MAX_DEPTH)
      this.#stop(
        `more than ${MAX_DEPTH} levels of nesting`,
        "carry deep data in the body: its bytes may hold anything",
        { rule: "1.2-10" },
      );
    this.#i++;
    this.#space();
  }

  #array(depth: number): void {
    this.#deeper(depth);
    if (this.#take("]")) return;
    for (let index = 0; ; index++) {
      this.#path.push(index);
      this.#value(depth);
      this.#space();
      this.#path.pop();
      if (this.#take("]")) return;
      if (!this.#take(",")) this.#unexpected("a comma or ]");
      this.#space();
      if (this.#text.charAt(this.#i) === "]") this.#stop("a comma before ]", "take the last comma out");
    }
  }

  #object(depth: number): void {
    const open = this.#path.length;
    const seen = new Map<string, number>();
    this.#deeper(depth);
    if (this.#take("}")) return;
    for (;;) {
      const nameAt = this.#i;
      if (this.#text.charAt(nameAt) !== '"') this.#unexpected("a name in double quotes");
      const name = this.#string();
      this.#path.push(name);
      const firstAt = seen.get(name);
      if (firstAt !== undefined) {
        const todo =
          "two parsers would read this in two ways: write the name once (escapes count as what they stand for)";
        this.#stop("this name stands twice in one object", todo, { at: nameAt, rule: "1.2-8", firstAt });
      }
      seen.set(name, nameAt);
      this.#space();
      if (!this.#take(":")) this.#unexpected("a colon");
      this.#space();
      const valueAt = this.#i;
      this.#value(depth);
      if (depth === 1 && open === 0) this.members.set(name, { nameAt, valueAt, valueEnd: this.#i });
      this.#space();
      this.#path.pop();
      if (this.#take("}")) return;
      if (!this.#take(",")) this.#unexpected("a comma or }");
      this.#space();
      if (this.#text.charAt(this.#i) === "}") this.#stop("a comma before }", "take the last comma out");
    }
  }

  #take(character: string): boolean {
    if (this.#text.charAt(this.#i) !== character) return false;
    this.#i++;
    return true;
  }

  #string(): string {
    const start = this.#i++;
    const pieces: string[] = [];
    let from = this.#i;
    for (;;) {
      const code = this.#text.charCodeAt(this.#i);
      if (Number.isNaN(code))
        this.#stop("a string that does not end", "the bytes were cut off on the way, or a quote in it is not escaped", {
          at: start,
        });
      if (code === 0x22) break;
      if (code < 0x20) this.#stop("a raw control character in a string", "escape it: \\n, \\t or \\u00xx");
      if (code === 0x5c) {
        pieces.push(this.#text.slice(from, this.#i), this.#escape());
        from = this.#i;
      } else {
        this.#i++;
      }
    }
    const value = pieces.join("") + this.#text.slice(from, this.#i++);
    if (!value.isWellFormed()) {
      this.#stop(
        "half of a surrogate pair in this string",
        "the producer cut a character in two, or escaped bytes as if they were text",
        { at: start, rule: "1.2-9" },
      );
    }
    return value;
  }

  #escape(): string {
    const simple = ESCAPES.get(this.#text.charAt(this.#i + 1));
    if (simple !== undefined) {
      this.#i += 2;
      return simple;
    }
    const hex = /^u([0-9a-fA-F]{4})/.exec(this.#text.slice(this.#i + 1, this.#i + 6))?.[1];
    if (hex === undefined)
      this.#stop(
        "an escape that JSON does not know",
        'JSON knows \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits',
      );
    this.#i += 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
}
