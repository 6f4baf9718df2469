/** An offset that is in flight. Only the ticket of its last receipt finishes an offset. */
export interface OffsetTicket {
  readonly offset: bigint;
}

/** Which offsets of one partition are finished, and up to where all of them are. */
export interface Watermark {
  /**
   * Notes an offset as received and in flight. Between two receipts offsets may be left out (compaction, transactions).
   *
   * @returns its ticket; null when it came again although it is in flight or finished: skip it
   */
  receive(offset: bigint): OffsetTicket | null;
  /**
   * Notes an offset as finished, in any order.
   *
   * @returns the offset to commit, which is the next one to read; null when it did not move, and for a ticket of an
   *   earlier receipt or from before a revocation
   */
  finish(ticket: OffsetTicket): bigint | null;
  /** Notes an offset as neither finished nor in flight: it is to be received again. */
  giveBack(ticket: OffsetTicket): void;
  /**
   * Call it to seek back: from now on what was given back is expected again, in ascending order. One that is passed over
   * is gone from the log and counts as finished.
   *
   * @returns the lowest offset that was given back; null when there is none
   */
  resume(): bigint | null;
  /** Forgets everything: the partition was taken away, or is assigned anew. Tickets from before do nothing. */
  revoke(): void;
  /** The offset to commit: every received one below is finished. Null before the first receipt. */
  readonly committable: bigint | null;
  /** How many received offsets are not finished. The memory of a watermark is in proportion to it. */
  readonly unfinished: number;
}

type State = { readonly ticket: OffsetTicket; is: "in flight" | "given back" | "expected" };

/**
 * Tracks one partition whose offsets finish in any order while only a contiguous prefix may be committed.
 *
 * @example
 * ```ts
 * const watermark = createWatermark();
 * const [first, second] = [watermark.receive(7n), watermark.receive(8n)];
 * if (second !== null) watermark.finish(second); // null: 7 is not finished
 * if (first !== null) watermark.finish(first); // 9n
 * ```
 */
export function createWatermark(): Watermark {
  /** In ascending order: an offset is added only above every other, and keeps its place until it is finished. */
  let unfinished = new Map<bigint, State>();
  let next: bigint | null = null;
  let expected = 0;

  const committable = (): bigint | null => {
    for (const offset of unfinished.keys()) return offset;
    return next;
  };
  const held = (ticket: OffsetTicket): State | null => {
    const state = unfinished.get(ticket.offset);
    return state?.ticket === ticket && state.is === "in flight" ? state : null;
  };
  const dropGone = (below: bigint): void => {
    for (const [offset, state] of unfinished) {
      if (expected === 0 || offset >= below) return;
      if (state.is !== "expected") continue;
      unfinished.delete(offset);
      expected--;
    }
  };

  return {
    receive(offset) {
      dropGone(offset);
      const state = unfinished.get(offset);
      if (state === undefined && next !== null && offset < next) return null;
      if (state?.is === "in flight") return null;
      if (state?.is === "expected") expected--;
      const ticket = { offset };
      unfinished.set(offset, { ticket, is: "in flight" });
      if (next === null || offset >= next) next = offset + 1n;
      return ticket;
    },
    finish(ticket) {
      if (held(ticket) === null) return null;
      const before = committable();
      unfinished.delete(ticket.offset);
      const now = committable();
      return now === before ? null : now;
    },
    giveBack(ticket) {
      const state = held(ticket);
      if (state !== null) state.is = "given back";
    },
    resume() {
      let lowest: bigint | null = null;
      for (const [offset, state] of unfinished) {
        if (state.is === "in flight") continue;
        lowest ??= offset;
        if (state.is === "given back") expected++;
        state.is = "expected";
      }
      return lowest;
    },
    revoke() {
      unfinished = new Map();
      next = null;
      expected = 0;
    },
    get committable() {
      return committable();
    },
    get unfinished() {
      return unfinished.size;
    },
  };
}
