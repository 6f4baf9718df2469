import { setMaxListeners } from "node:events";
import { createWatermark, type OffsetTicket, type Watermark } from "@sinkwire/delivery/adapter";

/**
 * How far a partition is read beyond its oldest unfinished record: what would come again after a crash, and what is read
 * again for a retry.
 */
const MAX_AHEAD = 10_000n;

/** A partition that this member of the group has. */
export interface Partition {
  readonly id: number;
  /** Aborted when it was taken away, or the consumer closed. */
  readonly signal: AbortSignal;
  /** The offset to read next; null until it is known where the group stands. */
  position: bigint | null;
  /** Grows with each seek: what was asked for before it is not to be delivered. */
  readonly seeks: number;
  /** Whether it may be read on. */
  readonly isDue: boolean;
  /** Notes a record as received; null when it is in flight or finished already. */
  receive(offset: bigint): OffsetTicket | null;
  /** @returns the offset to commit; null when it did not move */
  finish(ticket: OffsetTicket): bigint | null;
  /** Has a record read again, after a seek back that takes place when this turn is over. */
  giveBack(ticket: OffsetTicket): void;
  /** Takes the partition away from whoever has deliveries of it. */
  revoke(reason: unknown): void;
}

/**
 * Makes a partition.
 *
 * @param changed - called when it may have become due
 */
export function createPartition(id: number, position: bigint | null, changed: () => void): Partition {
  const controller = new AbortController();
  // All its deliveries listen.
  setMaxListeners(0, controller.signal);
  const watermark: Watermark = createWatermark();
  let seeks = 0;
  let isSeeking = false;
  const isAhead = (): boolean => {
    const oldest = watermark.committable;
    return oldest !== null && partition.position !== null && partition.position - oldest >= MAX_AHEAD;
  };
  const seek = (): void => {
    isSeeking = false;
    seeks++;
    partition.position = watermark.resume() ?? partition.position;
    changed();
  };
  const partition: Partition = {
    id,
    signal: controller.signal,
    position,
    get seeks() {
      return seeks;
    },
    get isDue() {
      return partition.position !== null && !isSeeking && !controller.signal.aborted && !isAhead();
    },
    receive: (offset) => watermark.receive(offset),
    finish(ticket) {
      const wasAhead = isAhead();
      const offset = watermark.finish(ticket);
      if (wasAhead && !isAhead()) changed();
      return offset;
    },
    giveBack(ticket) {
      watermark.giveBack(ticket);
      if (isSeeking) return;
      isSeeking = true;
      // By then, those of its key that were received after it are given back too.
      setImmediate(seek);
    },
    revoke(reason) {
      controller.abort(reason);
      watermark.revoke();
    },
  };
  return partition;
}
