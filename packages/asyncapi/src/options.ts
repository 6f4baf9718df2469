import { utf8Length } from "@sinkwire/delivery/adapter";
import { InvalidChannelError } from "./errors.js";

const MAX_TEXT_BYTES = 4096;
const MAX_NAME_LENGTH = 64;
/** User info of a URL inside of a text. */
const USER_INFO = /\/\/[^/\s@]*@/;
/** A query parameter inside of a text. */
const PARAMETER = /[?&;#]([^?&;#=\s]{1,64})=/g;
const SECRET_NAME = /token|secret|passw|pwd|signature|credential|(?:sig|key|auth)$/i;

/** How a text option may look. */
export interface TextRules {
  /** Most bytes in UTF-8. Default 4,096. */
  readonly maxBytes?: number;
  /** Whether `""` is a value. Default false. */
  readonly empty?: boolean;
  /** What else is wrong with it, in words that do not repeat it; null when nothing is. */
  readonly fault?: (text: string) => string | null;
}

/** The options of one object, read by name: inherited ones do not count, and none that is not known is let through. */
export class Options {
  readonly #given: object;
  readonly #channel: number | null;

  /**
   * @param given - what the caller gave
   * @param channel - index of the channel, null for the document's own options
   * @throws InvalidChannelError when it is not an object
   */
  constructor(given: unknown, channel: number | null) {
    this.#channel = channel;
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      throw this.invalid(channel === null ? "options" : "transport", "expected an object");
    }
    this.#given = given;
  }

  /** Throws for a name that is none of these: nothing that was not asked for can come into a document. */
  allow(names: readonly string[]): void {
    const unknown = Object.keys(this.#given).find((name) => !names.includes(name));
    if (unknown !== undefined) throw this.invalid(unknown.slice(0, MAX_NAME_LENGTH), "there is no such option");
  }

  /** An option as it was given; undefined when it is not there. */
  value(name: string): unknown {
    return Object.hasOwn(this.#given, name) ? (this.#given as Record<string, unknown>)[name] : undefined;
  }

  /** A text; null when it is absent or null. */
  optionalText(name: string, rules: TextRules = {}): string | null {
    const value = this.value(name) ?? null;
    return value === null ? null : this.checkText(value, name, rules);
  }

  /** A text that has to be there. */
  text(name: string, rules: TextRules = {}): string {
    return this.checkText(this.value(name), name, rules);
  }

  /** A list that has to be there and holds at least one element. */
  list(name: string): readonly unknown[] {
    const value = this.value(name);
    if (!Array.isArray(value) || value.length === 0) throw this.invalid(name, "expected a list that is not empty");
    return Array.from(value);
  }

  /** A text that was read already, of the option with this name. */
  checkText(value: unknown, name: string, { maxBytes = MAX_TEXT_BYTES, empty = false, fault }: TextRules): string {
    if (typeof value !== "string" || !value.isWellFormed()) throw this.invalid(name, "expected well-formed text");
    if (value === "" && !empty) throw this.invalid(name, "it is empty");
    if (utf8Length(value) > maxBytes) throw this.invalid(name, `it takes more than ${maxBytes} bytes`);
    if (holdsSecret(value)) throw this.invalid(name, "it holds credentials, which no document may");
    const problem = fault?.(value) ?? null;
    if (problem !== null) throw this.invalid(name, problem);
    return value;
  }

  /** The error for one option. */
  invalid(name: string, message: string): InvalidChannelError {
    return new InvalidChannelError(this.#channel, name, message);
  }
}

/** Whether a text looks like a URL with user info, or like a query with a secret in it. */
function holdsSecret(text: string): boolean {
  if (USER_INFO.test(text)) return true;
  return [...text.matchAll(PARAMETER)].some(([, name = ""]) => SECRET_NAME.test(name));
}
