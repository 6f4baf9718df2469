import { setTimeout as sleep } from "node:timers/promises";
import type { KafkaClient, KafkaClientOptions, KafkaConsumerClient } from "./client.js";
import { isHopeless } from "./client-error.js";
import { type OpenClient, openClient } from "./open-client.js";
import { createTopicLookup, HopelessError } from "./topic-lookup.js";

/** Pause before the group is joined again after an error, in milliseconds. */
const PAUSE_MS = 250;

/** Longest time between two signs of life, in milliseconds: Kafka's own default. */
const HEARTBEAT_MS = 3_000;

/** What an answer to a request to join may take beside the time that the group waits for its members, in milliseconds. */
const JOIN_SLACK_MS = 10_000;

/** The metadata of a member is not read again: the client ends the process when the coordinator is not in it. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** Where a group stands, by partition. Partitions without a committed offset are not there. */
export type CommittedOf = (partitions: readonly number[]) => Promise<ReadonlyMap<number, bigint>>;

/** Whose membership it is, and who is told of it. */
export interface MembershipOptions {
  readonly kafka: Pick<KafkaClient, "Consumer">;
  readonly client: KafkaClientOptions;
  readonly topic: string;
  readonly group: string;
  /** How long the servers wait for a sign of life, and the group for its members, in milliseconds. */
  readonly sessionTimeoutMs: number;
  /**
   * Called when the group has been joined.
   *
   * @param partitions - all that this member has from now on
   * @param isContinuous - whether nobody can have had one of them since the last time
   */
  assigned(partitions: readonly number[], isContinuous: boolean, committedOf: CommittedOf): Promise<void>;
  /** Called when the servers heard nothing for so long that they may have given the partitions to others. */
  lost(): void;
  /** Called when another try does not help. */
  failed(error: unknown): void;
}

/** A member of a consumer group, for as long as it is not told to leave. */
export interface Membership {
  /** @throws the client's error, also while the group is being joined */
  commit(offsets: ReadonlyMap<number, bigint>): Promise<void>;
  /** Leaves the group, in order when the servers answer in time. */
  leave(): Promise<void>;
}

/**
 * Joins a group and stays in it. The client stops its heartbeats after an error and keeps to a coordinator that moved, so
 * each error makes a new client, which goes on under the same member id.
 */
export function joinGroup(options: MembershipOptions): Membership {
  const { topic, group, sessionTimeoutMs, assigned, lost, failed } = options;
  const leaving = new AbortController();
  const lookUp = createTopicLookup(topic);
  let memberId: string | null = null;
  let generation = Number.NaN;
  /** The client that may commit. */
  let member: KafkaConsumerClient | null = null;
  let fail: (error: unknown) => void = () => {};
  let lease: NodeJS.Timeout | undefined;

  const grant = (leaseMs: number): void => {
    clearTimeout(lease);
    lease = setTimeout(() => {
      generation = Number.NaN;
      lost();
      fail(new Error(`no sign of the group for ${leaseMs} ms`));
    }, leaseMs);
  };
  const committedOf =
    (client: KafkaConsumerClient): CommittedOf =>
    async (partitions) => {
      const offsets = await client.listCommittedOffsets({ topics: [{ topic, partitions: [...partitions] }] });
      const found = partitions.map((id) => [id, offsets.get(topic)?.[id] ?? -1n] as const);
      return new Map(found.filter(([, offset]) => offset >= 0n));
    };
  const joined = (client: KafkaConsumerClient): void => {
    const next = client.generationId;
    const isContinuous = client.memberId === memberId && (next === generation || next === generation + 1);
    memberId = client.memberId;
    generation = next;
    member = client;
    grant(sessionTimeoutMs);
    const mine = client.assignments?.filter((one) => one.topic === topic).flatMap((one) => one.partitions) ?? [];
    assigned(mine, isContinuous, committedOf(client)).catch(fail);
  };

  /** Is a member until something fails, or it is time to leave. */
  const attend = (client: KafkaConsumerClient): Promise<never> =>
    new Promise((_, reject) => {
      fail = reject;
      const whileAttending =
        <T>(listener: (payload: T) => void) =>
        (payload: T): void => {
          if (fail === reject) listener(payload);
        };
      client.on("error", whileAttending(reject));
      client.on(
        "consumer:heartbeat:error",
        whileAttending(({ error }: { readonly error: unknown }) => reject(error)),
      );
      client.on(
        "consumer:heartbeat:end",
        whileAttending(() => grant(sessionTimeoutMs)),
      );
      client.on(
        "consumer:group:rebalance",
        whileAttending(() => {
          // A commit would go out under the next generation, in which the partition may be another's.
          member = null;
          grant(sessionTimeoutMs + JOIN_SLACK_MS);
        }),
      );
      client.on(
        "consumer:group:join",
        whileAttending(() => joined(client)),
      );
      const start = async (): Promise<void> => {
        const coordinator = await client.findGroupCoordinator();
        await lookUp(client);
        if (!client.currentMetadata?.brokers.has(coordinator)) throw new Error("the group's coordinator is not there");
        client.memberId = memberId;
        client.topics.track(topic);
        await client.joinGroup({});
      };
      start().catch(reject);
    });
  /** Puts a client away without leaving the group. */
  const abandon = async (opened: OpenClient<KafkaConsumerClient>): Promise<void> => {
    fail = () => {};
    member = null;
    opened.client.memberId = null;
    opened.drop();
    await opened.close();
  };
  const run = async (): Promise<void> => {
    while (!leaving.signal.aborted) {
      const opened = openClient(new options.kafka.Consumer(memberOptions(options)));
      try {
        await attend(opened.client);
      } catch (error) {
        if (!leaving.signal.aborted && (error instanceof HopelessError || isHopeless(error))) failed(error);
      }
      if (leaving.signal.aborted) await opened.close();
      else await abandon(opened);
      await sleep(PAUSE_MS, undefined, { signal: leaving.signal }).catch(() => {});
    }
    clearTimeout(lease);
  };
  const running = run();

  return {
    async commit(offsets) {
      if (member === null) throw new Error(`group "${group}" is being joined`);
      await member.commit({
        offsets: Array.from(offsets, ([partition, offset]) => ({ topic, partition, offset, leaderEpoch: -1 })),
      });
    },
    async leave() {
      leaving.abort();
      fail(leaving.signal.reason);
      await running;
    },
  };
}

function memberOptions({ client, group, sessionTimeoutMs }: MembershipOptions) {
  return {
    ...client,
    groupId: group,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: sessionTimeoutMs,
    heartbeatInterval: Math.min(HEARTBEAT_MS, Math.ceil(sessionTimeoutMs / 3)),
    requestTimeout: sessionTimeoutMs + JOIN_SLACK_MS,
    metadataMaxAge: NEVER_MS,
    // A commit that is tried again by the client would join the group anew and go out under the next generation.
    retries: 0,
    autocreateTopics: false,
  };
}
