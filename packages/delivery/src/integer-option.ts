import { InvalidHookError } from "@sinkwire/message";

/** Checks an integer option; absent and null give the default. Throws `invalid_hook` with the name. */
export function integerOption(
  name: string,
  value: unknown,
  fallback: number,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    throw new InvalidHookError(name, `not an integer from ${min} to ${max}`);
  }
  return value;
}
