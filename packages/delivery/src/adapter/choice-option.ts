import { InvalidHookError } from "@sinkwire/message";

/**
 * Checks an option that is one of some words; absent and null are "not given".
 *
 * @param value - as the caller gave it
 * @param field - its wire name
 * @param choices - what it may be
 * @returns the choice; null when it was not given
 * @throws InvalidHookError with that name for anything else
 */
export function choiceOption<T extends string>(value: unknown, field: string, choices: readonly T[]): T | null {
  if (value === undefined || value === null) return null;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) {
    throw new InvalidHookError(field, `expected ${choices.map((choice) => `"${choice}"`).join(" or ")}`);
  }
  return chosen;
}
