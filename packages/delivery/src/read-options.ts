import { type DecodeOptions, InvalidHookError } from "@sinkwire/message";
import { choiceOption } from "./adapter/choice-option.js";
import { integerOption } from "./adapter/options.js";

/** How to read what a transport delivered. */
export interface ReadOptions extends DecodeOptions {
  /**
   * `"verify"` (default) refuses a message whose metadata names another hook, or two; `"ignore"` reads the message alone.
   */
  readonly metadata?: "verify" | "ignore" | null | undefined;
}

/**
 * Checks the options of a read, before anything that was delivered is looked at.
 *
 * @param options - as the caller gave them; null and absent are none
 * @throws InvalidHookError (`options`, `max_bytes`, `metadata`) for one that cannot be used
 */
export function checkReadOptions(options: ReadOptions | null | undefined): void {
  if (typeof (options ?? {}) !== "object" || Array.isArray(options)) {
    throw new InvalidHookError("options", "expected an object");
  }
  integerOption(options?.maxBytes, "max_bytes", 0, 0);
  choiceOption(options?.metadata, "metadata", ["verify", "ignore"]);
}
