import type { BrokerName, WaitOptions } from "./types.js";

/** How one kind of server is had, started and asked. */
export interface BrokerKind {
  readonly name: BrokerName;
  /** The environment variable that names one which runs already. */
  readonly variable: string;
  readonly durable: boolean;
  /** How many ports it listens on; clients take the first. */
  readonly ports: number;
  /**
   * Finds the server on this machine, or gets it.
   *
   * @throws Error that says why it cannot be had
   */
  install(options: WaitOptions): Promise<Installation>;
  /**
   * Speaks to a server as a client would at first.
   *
   * @returns product and version, or the product alone when the protocol does not tell more
   * @throws Error while it is not ready
   */
  probe(url: string, options: { readonly signal: AbortSignal }): Promise<string>;
}

/** A server that can be started. */
export interface Installation {
  /** Product and version, as `Apache Kafka 4.4.0`. Absent: `probe` tells it. */
  readonly version?: string;
  /** Writes what the server needs into the folder. Runs once; `launch` runs at every start. */
  prepare?(place: Place, options: WaitOptions): Promise<void>;
  launch(place: Place): Launch;
}

/** Where a server runs. */
export interface Place {
  /** Its own temporary folder, and its working directory. */
  readonly folder: string;
  /** Loopback ports, as many as {@link BrokerKind.ports}. */
  readonly ports: readonly [number, ...number[]];
}

/** A server's process. */
export interface Launch {
  readonly command: readonly [string, ...string[]];
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The user that runs it and owns its folder. Default: this process's. */
  readonly user?: { readonly uid: number; readonly gid: number } | null;
  readonly url: string;
  /** Asks the leader to end in order. Default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
}
