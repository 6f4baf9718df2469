import { PublishError } from "@sinkwire/delivery";
import { type InFlight, property } from "@sinkwire/delivery/adapter";

/** One publish's way in among the unconfirmed. */
export interface GroupTurn extends Pick<InFlight, "enter"> {
  /**
   * It failed. Unless for good, those that wait behind it fail too, so that none overtakes it when it is published again.
   * The first call after it was let in counts.
   */
  fail(error: unknown): void;
}

/** The publishes of one group. */
interface Line {
  /** Resolves when the last of them has left. */
  last: Promise<void>;
  open: number;
  failures: number;
  lastError: unknown;
}

/**
 * Lets the publishes of a group in one after another, in the order of their calls. Its memory is in proportion to those
 * that have not settled.
 *
 * @param inFlight - the publisher's unconfirmed messages
 * @returns takes a turn; null is no group
 */
export function createGroupTurns(inFlight: InFlight): (group: string | null) => GroupTurn {
  const lines = new Map<string, Line>();
  return (group) => {
    if (group === null) return { enter: inFlight.enter, fail: () => {} };
    const line = lines.get(group) ?? { last: Promise.resolve(), open: 0, failures: 0, lastError: null };
    lines.set(group, line);
    const before = line.last;
    const failuresBefore = line.failures;
    let isIn = false;
    let leave = (): void => {};
    line.last = new Promise((resolve) => {
      leave = resolve;
    });
    line.open++;
    const done = (): void => {
      leave();
      if (--line.open === 0) lines.delete(group);
    };
    return {
      async enter(bytes, options) {
        await before;
        try {
          if (line.failures > failuresBefore) {
            throw new PublishError("publish_failed", "an earlier message of its group was not published", {
              outcome: "not_published",
              cause: line.lastError,
            });
          }
          const free = await inFlight.enter(bytes, options);
          isIn = true;
          return () => {
            free();
            done();
          };
        } catch (error) {
          done();
          throw error;
        }
      },
      fail(error) {
        if (!isIn || property(error, "retryable") !== true) return;
        isIn = false;
        line.failures++;
        line.lastError = error;
      },
    };
  };
}
