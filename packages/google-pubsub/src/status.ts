import { property } from "@sinkwire/delivery/adapter";

/** The gRPC status codes that this package looks at, by Google's own numbers. */
export const STATUS = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

const TRANSIENT: readonly (number | null)[] = [
  STATUS.cancelled,
  STATUS.unknown,
  STATUS.deadlineExceeded,
  STATUS.resourceExhausted,
  STATUS.aborted,
  STATUS.internal,
  STATUS.unavailable,
];

/**
 * The status that a call ended with.
 *
 * @param error - what the client threw
 * @returns the code; null when the call was never made: the client is closed, or has no credentials
 */
export function statusOf(error: unknown): number | null {
  const code = property(error, "code");
  return typeof code === "number" ? code : null;
}

/** Whether the same call may succeed later without anyone's doing. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.includes(statusOf(error));
}
