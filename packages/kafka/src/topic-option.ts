import { addressOption } from "@sinkwire/delivery/adapter";

/**
 * Checks a topic's name: at most 249 ASCII letters, digits, `.`, `_` and `-`.
 *
 * @param field - the option's name
 * @throws InvalidHookError with that name
 */
export function topicOption(value: unknown, field: string): string {
  return addressOption(value, field, (topic) =>
    /^(?!\.{1,2}$)[\w.-]{1,249}$/.test(topic) ? null : "a topic takes 1 to 249 ASCII letters, digits, dots, _ and -",
  );
}
