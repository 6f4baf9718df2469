/** White space, which ends a subject on the protocol's line, and control characters. */
const NOT_IN_SUBJECT = /[\0- ]/;

/**
 * What is wrong with a subject to publish to.
 *
 * @returns in words; null when nothing is
 */
export function subjectFault(subject: string): string | null {
  if (NOT_IN_SUBJECT.test(subject)) return "a subject holds no white space and no control character";
  const tokens = subject.split(".");
  if (tokens.includes("")) return "the subject holds an empty token";
  return tokens.includes("*") || tokens.includes(">") ? "messages are not published to a wildcard" : null;
}
