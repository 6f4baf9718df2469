import { hash } from "node:crypto";
import type { Hook } from "@sinkwire/message";
import { type BrokerName, startBroker } from "@sinkwire/testkit/brokers";
import { median } from "../measure.js";
import { googlePubsub } from "./google-pubsub.js";
import { kafka } from "./kafka.js";
import { nats } from "./nats.js";
import { rabbitmq } from "./rabbitmq.js";
import type { RatedTransport, RateSide, RateSides } from "./rate-side.js";
import { redis } from "./redis.js";
import { sqs } from "./sqs.js";

/** The transports that are measured. */
export const TRANSPORTS: readonly RatedTransport[] = [kafka, nats, rabbitmq, redis, sqs, googlePubsub];

/** Body sizes in bytes, and how many messages a round has one after another, and at once. */
const SIZES = [
  { bodyBytes: 1_024, confirmed: 300, pipelined: 2_000 },
  { bodyBytes: 65_536, confirmed: 100, pipelined: 400 },
] as const;

/** Publishes at once where they are pipelined. */
const AT_ONCE = 64;

/** A server that keeps each message on a disk before it confirms gets no more than this at a time, in milliseconds. */
const LONGEST_MS = 1_500;

/** Rounds; the first one warms up and does not count. */
const ROUNDS = 6;

/** Sources of the hooks, each a record key of its own: one key's messages are handled one after another. */
const SOURCES = 64;

/** Least share of the bare client's rate. */
export const TARGET_SHARE = 0.9;

/**
 * What is done with a broker: publishing one after another, publishing at once, consuming. A bare client leaves the body as
 * it is; whoever uses it reads it by hand. So consuming is measured against both: `consume` is by hand, `unread` is bare.
 */
export const WORKS = ["confirmed", "pipelined", "consume", "unread"] as const;

/** One of {@link WORKS}. */
export type Work = (typeof WORKS)[number];

/** One work on one broker with bodies of one size. */
export interface TransportRow {
  readonly transport: BrokerName;
  readonly client: string;
  /** Product and version of the server. */
  readonly server: string;
  readonly bodyBytes: number;
  readonly work: Work;
  /** Our rate as a share of the bare client's: the median of rounds in which both took turns. */
  readonly share: number;
  /** The bare client's messages a second, for scale only. */
  readonly barePerSecond: number;
}

/** Measures transports one after another, each against a server of its own. */
export async function benchTransports(
  names: readonly string[],
  onRow: (row: TransportRow) => void,
): Promise<TransportRow[]> {
  const rows: TransportRow[] = [];
  for (const transport of TRANSPORTS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const broker = await startBroker(transport.name, { own: true });
    try {
      for (const size of SIZES) {
        const sides = await transport.open(broker);
        const times = await measureSides(sides, size.bodyBytes, {
          confirmed: Math.ceil(size.confirmed * transport.share),
          pipelined: Math.ceil(size.pipelined * transport.share),
        });
        await Promise.all([sides.ours.close(), sides.bare.close()]);
        for (const work of WORKS) {
          const rounds = times.map((round) => round[work]);
          const row: TransportRow = {
            transport: transport.name,
            client: transport.client,
            server: broker.version,
            bodyBytes: size.bodyBytes,
            work,
            share: median(rounds.map(({ ours, bare }) => bare / ours)),
            barePerSecond: Math.round(1_000 / median(rounds.map(({ bare }) => bare))),
          };
          rows.push(row);
          onRow(row);
        }
      }
    } finally {
      await broker.stop();
    }
  }
  return rows;
}

/** Milliseconds a message. */
type Round = Readonly<Record<Work, Readonly<Record<keyof RateSides, number>>>>;

async function measureSides(
  sides: RateSides,
  bodyBytes: number,
  counts: Readonly<Record<"confirmed" | "pipelined", number>>,
): Promise<Round[]> {
  const hooks = hooksOf(bodyBytes);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const);
    const times = {
      confirmed: { ours: 0, bare: 0 },
      pipelined: { ours: 0, bare: 0 },
      consume: { ours: 0, bare: 0 },
      unread: { ours: 0, bare: 0 },
    };
    const left = { ours: 0, bare: 0 };
    for (const work of ["confirmed", "pipelined"] as const) {
      for (const side of order) {
        const { elapsedMs, sent } = await publish(sides[side], hooks, counts[work], work);
        times[work][side] = elapsedMs / sent;
        left[side] += sent;
      }
    }
    for (const side of order) times.consume[side] = (await sides[side].consume(left[side], readByHand)) / left[side];
    // What is consumed for the second time is published untimed.
    for (const side of order) left[side] = (await publish(sides[side], hooks, counts.pipelined, "pipelined")).sent;
    for (const side of order) times.unread[side] = (await sides[side].consume(left[side], () => {})) / left[side];
    if (round > 0) rounds.push(times);
  }
  return rounds;
}

async function publish(
  side: RateSide,
  hooks: Iterator<Hook>,
  count: number,
  work: Work,
): Promise<{ readonly elapsedMs: number; readonly sent: number }> {
  const publishes = Array.from({ length: count }, () => side.prepare(hooks.next().value));
  const next = publishes.values();
  const start = performance.now();
  let sent = 0;
  const send = async (): Promise<void> => {
    for (const publish of next) {
      await publish();
      sent++;
      if (performance.now() - start > LONGEST_MS) return;
    }
  };
  await Promise.all(Array.from({ length: work === "confirmed" ? 1 : AT_ONCE }, send));
  return { elapsedMs: performance.now() - start, sent };
}

/** The least that reads a message: text, JSON, body, digest. */
function readByHand(body: Uint8Array): void {
  const message = JSON.parse(Buffer.from(body).toString("utf8")) as { body_base64: string; sha256: string };
  if (hash("sha256", Buffer.from(message.body_base64, "base64"), "hex") !== message.sha256) throw new Error("damaged");
}

/** Hooks that all differ: a server that deduplicates has to take each. */
function* hooksOf(bodyBytes: number): Generator<Hook, never> {
  const body = Buffer.alloc(bodyBytes, "sinkwire ");
  for (let n = 0; ; n++) {
    yield {
      id: `evt_${n}`,
      source_id: `orders-${n % SOURCES}`,
      tenant_id: "acme",
      received_at: 1_760_000_000_000,
      body,
    };
  }
}
