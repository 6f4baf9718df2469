import type { DeliveryQueue, OffsetTicket } from "@sinkwire/delivery/adapter";
import { STOP_LIMIT_MS, within } from "@sinkwire/delivery/adapter";
import { createCommits } from "./commits.js";
import { type CommittedOf, joinGroup, type MembershipOptions } from "./membership.js";
import { createPartition, type Partition } from "./partition.js";
import { createReader, type ReaderOptions } from "./reader.js";

/** What a consumer takes part in. */
export interface GroupOptions
  extends Pick<MembershipOptions, "kafka" | "client" | "topic" | "group" | "sessionTimeoutMs" | "failed">,
    Pick<ReaderOptions, "prefetch" | "fetchBytes" | "receive"> {}

/** A part in a consumer group: partitions that are read, and offsets that are committed. */
export interface Group {
  /** Reads for a queue until the signal aborts. */
  read(queue: DeliveryQueue, ended: AbortSignal): void;
  /** Notes a record as finished, and has committed what may be. */
  finish(partition: Partition, ticket: OffsetTicket): void;
  /** Commits what is finished, takes back the rest and leaves the group. */
  leave(): Promise<void>;
}

/** Takes part in a group. */
export function openGroup(options: GroupOptions): Group {
  const partitions = new Map<number, Partition>();
  const create = (id: number, position: bigint | null): void => {
    partitions.set(
      id,
      createPartition(id, position, () => reader.wake()),
    );
  };
  const revoke = (partition: Partition, why: string): void => {
    partitions.delete(partition.id);
    partition.revoke(new Error(`partition ${partition.id}: ${why}`));
  };
  const revokeAll = (why: string): void => {
    for (const partition of partitions.values()) revoke(partition, why);
  };

  const reader = createReader({
    ...options,
    partitions,
    outOfRange(partition, earliest) {
      revoke(partition, "its log does not have what was to be read next");
      create(partition.id, earliest);
    },
  });
  /** Finds out where to start in partitions that are new. */
  const locate = async (committedOf: CommittedOf): Promise<void> => {
    const unlocated = Array.from(partitions.values()).filter(({ position }) => position === null);
    if (unlocated.length === 0) return;
    const committed = await committedOf(unlocated.map(({ id }) => id));
    const without = unlocated.filter(({ id }) => !committed.has(id)).map(({ id }) => id);
    const earliest = without.length === 0 ? new Map<number, bigint>() : await reader.earliest(without);
    for (const partition of unlocated) {
      partition.position ??= committed.get(partition.id) ?? earliest.get(partition.id) ?? null;
    }
    reader.wake();
  };
  const membership = joinGroup({
    ...options,
    async assigned(ids, isContinuous, committedOf) {
      for (const partition of partitions.values()) {
        if (!isContinuous || !ids.includes(partition.id)) revoke(partition, "the group took it away");
      }
      for (const id of ids) if (!partitions.has(id)) create(id, null);
      await locate(committedOf);
    },
    lost: () => revokeAll("the group may have given it to another"),
  });
  const commits = createCommits((offsets) => membership.commit(offsets));

  return {
    read: (queue, ended) => reader.read(queue, ended),
    finish(partition, ticket) {
      const offset = partition.finish(ticket);
      if (offset !== null) commits.commit(partition, offset);
    },
    async leave() {
      await within(commits.stop(), STOP_LIMIT_MS);
      revokeAll("the consumer was closed");
      await Promise.all([membership.leave(), reader.close()]);
    },
  };
}
