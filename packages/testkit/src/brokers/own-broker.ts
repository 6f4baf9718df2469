import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "./free-ports.js";
import type { BrokerKind, Installation, Place } from "./kind.js";
import { tail } from "./run-tool.js";
import { ServerProcess } from "./server-process.js";
import type { Broker, WaitOptions } from "./types.js";
import { waitUntil } from "./wait-until.js";

/** A server that does not answer after so long will not. Kafka and RabbitMQ take some seconds on a busy machine. */
const START_LIMIT_MS = 90_000;
/** One attempt to speak to a server. */
const PROBE_LIMIT_MS = 2_000;

/**
 * Starts a server on free loopback ports, with a temporary folder of its own.
 *
 * @throws Error with the end of its log when it ends or does not answer in time
 */
export async function startOwn(kind: BrokerKind, installation: Installation, options: WaitOptions): Promise<Broker> {
  const place = {
    folder: mkdtempSync(join(tmpdir(), `sinkwire-${kind.name}-`)),
    ports: await freePorts(kind.ports),
  };
  try {
    await installation.prepare?.(place, options);
    const { user } = installation.launch(place);
    if (user) chownSync(place.folder, user.uid, user.gid);
    const broker = new OwnBroker(kind, installation, place);
    await broker.restart(options);
    return broker;
  } catch (error) {
    rmSync(place.folder, { recursive: true, force: true });
    throw error;
  }
}

class OwnBroker implements Broker {
  readonly name;
  readonly durable;
  readonly folder: string;
  readonly url: string;
  readonly #kind: BrokerKind;
  readonly #installation: Installation;
  readonly #place: Place;
  #server: ServerProcess | null = null;
  #version = "";
  #startedInMs = 0;

  constructor(kind: BrokerKind, installation: Installation, place: Place) {
    this.name = kind.name;
    this.durable = kind.durable;
    this.folder = place.folder;
    this.url = installation.launch(place).url;
    this.#kind = kind;
    this.#installation = installation;
    this.#place = place;
  }

  get version(): string {
    return this.#version;
  }

  get pid(): number | null {
    return this.#server?.pid ?? null;
  }

  get startedInMs(): number {
    return this.#startedInMs;
  }

  freeze(): void {
    this.#running().signal("SIGSTOP");
  }

  resume(): void {
    this.#running().signal("SIGCONT");
  }

  async kill(): Promise<void> {
    await this.#end("at-once");
  }

  async stop(): Promise<void> {
    await this.#end("in-order");
    rmSync(this.folder, { recursive: true, force: true });
  }

  async restart(options: WaitOptions = {}): Promise<void> {
    if (!existsSync(this.folder)) throw new Error(`${this.name} was stopped for good`);
    await this.#end("in-order");
    const start = performance.now();
    const log = join(this.folder, "server.log");
    const server = new ServerProcess(this.#installation.launch(this.#place), { folder: this.folder, log });
    this.#server = server;
    const giveUp = new AbortController();
    const signal = AbortSignal.any([giveUp.signal, ...(options.signal ? [options.signal] : [])]);
    void server.ended.then(() => giveUp.abort(new Error("its process ended")));
    try {
      const probed = await waitUntil(() => probe(this.#kind, this.url, signal), { signal, limitMs: START_LIMIT_MS });
      this.#version = this.#installation.version ?? probed;
      this.#startedInMs = performance.now() - start;
    } catch (error) {
      await this.#end("at-once");
      options.signal?.throwIfAborted();
      throw new Error(`${this.name} did not start: ${String(giveUp.signal.reason ?? error)}: ${readTail(log)}`, {
        cause: error,
      });
    }
  }

  #running(): ServerProcess {
    if (this.#server === null) throw new Error(`${this.name} does not run`);
    return this.#server;
  }

  async #end(how: "in-order" | "at-once"): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.end(how);
  }
}

/**
 * Speaks to a server once.
 *
 * @returns product and version
 * @throws Error when it is not ready within two seconds
 */
export function probe(kind: BrokerKind, url: string, signal?: AbortSignal): Promise<string> {
  const limit = AbortSignal.timeout(PROBE_LIMIT_MS);
  return kind.probe(url, { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) });
}

function readTail(log: string): string {
  try {
    return tail(readFileSync(log, "utf8"));
  } catch {
    return "it left no log";
  }
}
