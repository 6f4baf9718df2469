import type { Consumer, Publisher } from "@sinkwire/delivery";
import type { InFlightLimits } from "@sinkwire/delivery/adapter";
import type { Claim, EncodedMessage, HeaderPair, Hook, Message, PublishContext } from "@sinkwire/message";
import type { Broker, BrokerName } from "../brokers/index.js";

/** One adapter, as the suite that all of them pass sees it. */
export interface Transport {
  readonly name: BrokerName;
  /** Which adapter over which client, as `redis over ioredis`. */
  readonly title: string;
  /** Whether messages of one ordering key keep their order. */
  readonly hasKeys: boolean;
  /** Whether messages of one ordering key are sent one after another. Default false: as many at once as there is room for. */
  readonly isOneByOne?: boolean;
  /**
   * Whether a message whose publish ran out of time frees its place, as where the request is given up with its connection.
   * Default false: it keeps it until the server has read it.
   */
  readonly freesGivenUp?: boolean;
  /** What a message without a body is read as; null where every message has a body, and that is text. */
  readonly noBody: "tombstone" | "invalid" | null;
  /** Default limit by the transport's own count, in bytes. */
  readonly maxBytes: number;
  /**
   * Encodes a hook with the adapter's own mapping: `size` is the transport's own count.
   *
   * @param claim - for a hook that does not fit inline
   */
  encode(hook: Hook, context: PublishContext | null, claim: Claim | null): EncodedMessage;
  /** The metadata that has to arrive beside a message, of which none may be altered. */
  metadataOf(message: Message): readonly HeaderPair[];
  /** Makes a new, empty address on a server. */
  open(broker: Broker): Promise<Lane>;
}

/** One address, with its subscription where the broker has such a thing, and clients of the suite's own. */
export interface Lane {
  readonly address: string;
  /** A publisher with a client of its own. */
  publisher(options?: LanePublisherOptions): Promise<Publisher>;
  /** A consumer with a client of its own; all of a lane share the messages. */
  consumer(): Promise<LaneConsumer>;
  /** Writes a body with the bare client; null is a message without one, or with an empty one where there is no such thing. */
  write(body: Uint8Array | null): Promise<void>;
  /** The bodies of the dead letters so far; null where the broker keeps none that can be read. */
  deadLetters(): Promise<readonly Uint8Array[] | null>;
  /** Makes the address again, on a server that lost it with its process. Absent where a server keeps it. */
  restore?(): Promise<void>;
  /** Closes every client of the lane. */
  close(): Promise<void>;
}

/** How the suite publishes. */
export interface LanePublisherOptions {
  readonly timeoutMs?: number;
  readonly inFlight?: InFlightLimits;
  /** An address that the server does not have. Default: the lane's. */
  readonly address?: string;
}

/** A consumer that can die. */
export interface LaneConsumer {
  readonly consumer: Consumer;
  /** Closes its client, as a crash would: nothing is settled or given back. */
  kill(): Promise<void>;
}
