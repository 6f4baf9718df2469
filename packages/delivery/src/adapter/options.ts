import { InvalidHookError } from "@sinkwire/message";
import { utf8Length } from "./text.js";

/** Longest address that any broker takes: AMQP counts the bytes of one in an octet. */
export const MAX_ADDRESS_BYTES = 255;

/** Longest delay that a timer of the platform takes, in milliseconds; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/**
 * Checks a text option; absent, null and `""` are all "not given".
 *
 * @param value - as the caller gave it
 * @param field - its wire name
 * @throws InvalidHookError with that name for anything but well-formed text
 */
export function textOption(value: unknown, field: string): string | null {
  return value === undefined || value === null || value === "" ? null : checkText(value, field);
}

/**
 * Checks an address: well-formed text of at most 255 bytes.
 *
 * @param value - as the caller gave it
 * @param field - the wire name of the option, or of the field that the address is made of
 * @param fault - what else is wrong with it for this broker, in words; null when nothing is. Default: an empty one is
 * @throws InvalidHookError with that name
 */
export function addressOption(
  value: unknown,
  field: string,
  fault: (address: string) => string | null = (address) => (address === "" ? "the address is empty" : null),
): string {
  const address = checkText(value, field);
  const bytes = utf8Length(address);
  if (bytes > MAX_ADDRESS_BYTES) {
    throw new InvalidHookError(field, `an address takes at most ${MAX_ADDRESS_BYTES} bytes, this one ${bytes}`);
  }
  const problem = fault(address);
  if (problem !== null) throw new InvalidHookError(field, problem);
  return address;
}

/**
 * Checks an integer option; absent and null give the default.
 *
 * @param value - as the caller gave it
 * @param field - its name
 * @param fallback - the default
 * @param min - the least that is taken
 * @param max - the most that is taken. Default every safe integer
 * @throws InvalidHookError with that name for anything else
 */
export function integerOption(
  value: unknown,
  field: string,
  fallback: number,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    throw new InvalidHookError(field, `expected an integer from ${min} to ${max}`);
  }
  return value;
}

function checkText(value: unknown, field: string): string {
  if (typeof value !== "string" || !value.isWellFormed())
    throw new InvalidHookError(field, "expected well-formed text");
  return value;
}
