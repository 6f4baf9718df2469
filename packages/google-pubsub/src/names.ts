import { addressOption } from "@sinkwire/delivery/adapter";

/** The two kinds of names that are given. */
type Kind = "topic" | "subscription";

/**
 * Checks a full resource name, `projects/<project>/<kind>s/<id>`.
 *
 * @param value - as the caller gave it
 * @param kind - of what
 * @param field - the option's name
 * @throws InvalidHookError with that name for anything else
 */
export function nameOption(value: unknown, kind: Kind, field: string = kind): string {
  const shape = new RegExp(`^projects/[^/]+/${kind}s/[^/]+$`);
  return addressOption(value, field, (name) =>
    shape.test(name) ? null : `expected a full name, as projects/<project>/${kind}s/<id>`,
  );
}
