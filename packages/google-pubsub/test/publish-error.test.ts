import { describe, expect, test } from "vitest";
import { publishErrorOf } from "../src/publish-error.js";

const TOPIC = "projects/p/topics/t";
const errorOf = (code: number, details = "what the server says", more = {}): Error =>
  Object.assign(new Error(`${code}: ${details}`), { code, details, ...more });

describe("publishErrorOf", () => {
  test("what is invalid is refused for good", () => {
    const cause = errorOf(3);
    expect(publishErrorOf(cause, TOPIC)).toMatchObject({
      ...{ code: "publish_rejected", outcome: "not_published", retryable: false, cause },
    });
  });

  test.for([
    [5, "NOT_FOUND"],
    [7, "PERMISSION_DENIED"],
    [8, "RESOURCE_EXHAUSTED"],
    [9, "FAILED_PRECONDITION"],
    [12, "UNIMPLEMENTED"],
    [16, "UNAUTHENTICATED"],
  ] as const)("%i %s was not taken, and may be later", ([code]) => {
    expect(publishErrorOf(errorOf(code), TOPIC)).toMatchObject({
      ...{ code: "publish_failed", outcome: "not_published", retryable: true, retryAfterMs: null },
      message: expect.stringContaining(TOPIC),
    });
  });

  test.for([
    [1, "CANCELLED"],
    [2, "UNKNOWN"],
    [4, "DEADLINE_EXCEEDED"],
    [10, "ABORTED"],
    [13, "INTERNAL"],
    [14, "UNAVAILABLE"],
    [15, "DATA_LOSS"],
    [99, "a code of another day"],
  ] as const)("%i %s may have been taken", ([code]) => expect(publishErrorOf(errorOf(code), TOPIC)).toBeNull());

  test.for([
    "No connection established. Last error: connect ECONNREFUSED 127.0.0.1:1",
    "Name resolution failed for target dns:pubsub.googleapis.com:443",
  ])("nothing was written without a connection: %s", (details) => {
    expect(publishErrorOf(errorOf(14, details), TOPIC)).toMatchObject({
      ...{ code: "publish_failed", outcome: "not_published" },
    });
  });

  test.for(["Connection dropped", "read ECONNRESET", "it said: No connection established"])(
    "a connection that broke may have carried it: %s",
    (details) => expect(publishErrorOf(errorOf(14, details), TOPIC)).toBeNull(),
  );

  test("a stream that was reset is no answer, whatever its code", () => {
    expect(publishErrorOf(errorOf(8, "Bandwidth exhausted or memory limit exceeded"), TOPIC)).toBeNull();
    expect(publishErrorOf(errorOf(7, "Received RST_STREAM with code 12"), TOPIC)).toBeNull();
  });

  test.for([new Error("Could not load the default credentials."), "The client has already been closed.", null])(
    "without a status there was no call",
    (error) => expect(publishErrorOf(error, TOPIC)).toMatchObject({ code: "publish_failed", outcome: "not_published" }),
  );

  test("tells what the service asked to wait", () => {
    const after = (retryDelay: unknown): unknown =>
      publishErrorOf(errorOf(8, "quota", { statusDetails: [{ reason: "RATE" }, { retryDelay }] }), TOPIC)?.retryAfterMs;
    expect(after({ seconds: { toString: () => "2" }, nanos: 500_000_000 })).toBe(2_500);
    expect(after({ nanos: 1_000_000 })).toBe(1);
    expect(after({ seconds: "soon" })).toBeNull();
    expect(after({ seconds: -1 })).toBeNull();
    expect(after(undefined)).toBeNull();
  });
});
