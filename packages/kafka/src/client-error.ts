import { property } from "@sinkwire/delivery/adapter";

/** Errors inside errors that are looked at; the client's own are two levels deep. */
const MAX_ERRORS = 100;

/** What another try cannot help with until somebody changes the server or the client's options. */
const HOPELESS = [
  "PLT_KFK_AUTHENTICATION",
  "PLT_KFK_UNSUPPORTED",
  "PLT_KFK_UNSUPPORTED_API",
  "PLT_KFK_UNSUPPORTED_COMPRESSION",
  "PLT_KFK_UNSUPPORTED_FORMAT",
  "CLUSTER_AUTHORIZATION_FAILED",
  "GROUP_AUTHORIZATION_FAILED",
  "TOPIC_AUTHORIZATION_FAILED",
  "INCONSISTENT_GROUP_PROTOCOL",
  "INVALID_GROUP_ID",
  "INVALID_REQUIRED_ACKS",
  "INVALID_SESSION_TIMEOUT",
  "INVALID_TOPIC_EXCEPTION",
  "POLICY_VIOLATION",
  "UNSUPPORTED_FOR_MESSAGE_FORMAT",
  "UNSUPPORTED_VERSION",
];

/**
 * What the client's error says in all its parts.
 *
 * @returns the protocol's names of errors (`apiId`, as `MESSAGE_TOO_LARGE`) and codes (`PLT_KFK_NETWORK`, `ECONNREFUSED`)
 */
export function errorNames(error: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const parts = [error];
  for (let i = 0; i < parts.length && i < MAX_ERRORS; i++) {
    const part = parts[i];
    for (const name of ["apiId", "code"]) {
      const value = property(part, name);
      if (typeof value === "string") names.add(value);
    }
    const errors = property(part, "errors");
    parts.push(property(part, "cause"), ...(Array.isArray(errors) ? errors : []));
  }
  return names;
}

/** Whether an error says that there is no such topic. */
export function isMissingTopic(error: unknown): boolean {
  const text = property(error, "message");
  return (
    errorNames(error).has("UNKNOWN_TOPIC_OR_PARTITION") ||
    (property(error, "code") === "PLT_KFK_USER" && typeof text === "string" && text.startsWith("Unknown topic "))
  );
}

/** Whether trying again is in vain until somebody does something: no permission, an option that the server refuses. */
export function isHopeless(error: unknown): boolean {
  const names = errorNames(error);
  return HOPELESS.some((name) => names.has(name));
}

/** Whether a request had no answer in time. Its connection is to be dropped: the client does not survive a late answer. */
export function isTimeout(error: unknown): boolean {
  return property(error, "message") === "Request timed out" || nested(error).some(isTimeout);
}

/** Whether a server answered with an error: the request lies in no socket any more. */
export function isAnswer(error: unknown): boolean {
  return property(error, "code") === "PLT_KFK_RESPONSE" || nested(error).some(isAnswer);
}

function nested(error: unknown): readonly unknown[] {
  const errors = property(error, "errors");
  return Array.isArray(errors) ? errors : [];
}
