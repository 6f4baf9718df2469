/** How messages of one key may run beside each other. */
export type Policy = "parallel" | "exclusive" | "ordered";

/** What decides the policy of a message in a group. */
export interface PolicyChoice {
  readonly key: string | null;
  /** The group's, which wins over the message's. */
  readonly override: Policy | null;
  /** The message's own. */
  readonly own: Policy | null;
  /** The group's, for messages that name none. */
  readonly fallback: Policy | null;
}

/** The policy of a message: always `parallel` without a key. */
export function resolvePolicy({ key, override, own, fallback }: PolicyChoice): Policy {
  return key === null ? "parallel" : (override ?? own ?? fallback ?? "parallel");
}
