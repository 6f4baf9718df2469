import { PublishError } from "@sinkwire/delivery";

/** One publish's place among those of its ordering key. */
export interface Turn {
  /** @throws PublishError (`not_published`) when an earlier one of its key failed since both were called */
  check(): void;
  /** It failed: those of its key that were called since fail too, and do not overtake what may be published again. */
  fail(error: unknown): void;
  /** It has settled. */
  leave(): void;
}

/** The publishes that have not settled, in the order of their calls. */
export interface Turns {
  /** @param key - the ordering key; `""` without one, where order means nothing */
  take(key: string): Turn;
  /** Waits until all have settled. */
  idle(): Promise<void>;
}

/** Publishes of one key that were called while none of them had failed. */
interface Line {
  taken: number;
  open: number;
  /** Of the earliest that failed. */
  failed: { readonly turn: number; readonly error: unknown } | null;
}

/** Keeps the order of keys over failures. Its memory is in proportion to the publishes that have not settled. */
export function createTurns(): Turns {
  const lines = new Map<string, Line>();
  const idlers: (() => void)[] = [];
  let open = 0;

  return {
    take(key) {
      const line = lines.get(key) ?? { taken: 0, open: 0, failed: null };
      const turn = line.taken++;
      line.open++;
      open++;
      if (key !== "") lines.set(key, line);
      const forget = (): void => {
        if (lines.get(key) === line) lines.delete(key);
      };
      return {
        check() {
          if (line.failed === null || line.failed.turn >= turn) return;
          throw new PublishError("publish_failed", "an earlier message of its ordering key was not published", {
            outcome: "not_published",
            cause: line.failed.error,
          });
        },
        fail(error) {
          if (line.failed === null || turn < line.failed.turn) line.failed = { turn, error };
          forget();
        },
        leave() {
          if (--line.open === 0) forget();
          if (--open > 0) return;
          for (const resolve of idlers.splice(0)) resolve();
        },
      };
    },
    idle: () =>
      open === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            idlers.push(resolve);
          }),
  };
}
