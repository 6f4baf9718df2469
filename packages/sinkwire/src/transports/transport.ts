import type { Delivery, DeliveryRead, Publisher } from "@sinkwire/delivery";
import type { Address } from "./address.js";

/** What the command does over one kind of server. Each call opens a connection of its own. */
export interface Transport {
  /**
   * Opens a publisher to the address.
   *
   * @returns the publisher; its `close` closes the connection, too
   * @throws `UsageError` for an address that cannot be published to, `Unreachable` when no server answers
   */
  publisher(address: Address): Promise<Publisher>;

  /**
   * Reads what passes at the address and takes nothing from a consumer, unless it was told to take.
   *
   * @throws as {@link Transport.publisher}
   */
  tail(address: Address, options: TailOptions): AsyncIterable<Tailed>;

  /**
   * Asks a server what it is.
   *
   * @throws as {@link Transport.publisher}
   */
  probe(address: Address): Promise<ServerReport>;
}

/** How to tail. */
export interface TailOptions {
  /** Unix milliseconds to start from, 0 for the beginning; null starts with what comes next. */
  readonly since: number | null;
  /** False ends when nothing more is there. */
  readonly follow: boolean;
  /** Whether messages may be taken from the consumers that they are meant for. */
  readonly take: boolean;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
  /** Called once, when every message from now on will be seen. */
  readonly ready: () => void;
}

/** A message that passed. */
export interface Tailed {
  readonly read: DeliveryRead;
  /** Where it stands, as a receipt tells it. */
  readonly position: string;
  /** The delivery, when it was taken: acknowledged once it is printed. */
  readonly delivery?: Delivery;
}

/** What a server says of itself. */
export interface ServerReport {
  /** Product and version, as `nats-server 2.11.0`. */
  readonly server: string;
  /** The server's clock, Unix milliseconds; null when it does not tell. */
  readonly clockMs: number | null;
  /** What is wrong with the place that the address names; null when it is there, or none is named. */
  readonly fault: string | null;
}
