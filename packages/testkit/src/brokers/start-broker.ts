import { BrokerUnavailableError } from "./errors.js";
import type { BrokerKind } from "./kind.js";
import { KINDS } from "./kinds/index.js";
import { probe, startOwn } from "./own-broker.js";
import type { Broker, BrokerName, StartOptions, WaitOptions } from "./types.js";

/**
 * A real server that answers: the one that its URL variable names, else one that is started on a free loopback port
 * with its own temporary folder, from a program that is here or can be had. It does not outlive this process.
 *
 * @param name - which
 * @param options - `own`: never the one that the variable names; `signal`
 * @throws BrokerUnavailableError with the reason when it cannot be had; Error when it is here and does not start
 */
export async function startBroker(name: BrokerName, options: StartOptions = {}): Promise<Broker> {
  const kind = KINDS[name];
  const url = process.env[kind.variable] ?? "";
  if (url !== "" && options.own !== true) return reach(kind, url);
  return startOwn(kind, await install(kind, options), options);
}

/**
 * Finds or gets what {@link startBroker} starts, without starting it: downloads and builds happen here.
 *
 * @throws BrokerUnavailableError with the reason when it cannot be had
 */
export async function prepareBroker(name: BrokerName, options: WaitOptions = {}): Promise<void> {
  const kind = KINDS[name];
  const url = process.env[kind.variable] ?? "";
  if (url !== "") await reach(kind, url);
  else await install(kind, options);
}

async function install(kind: BrokerKind, options: WaitOptions): ReturnType<BrokerKind["install"]> {
  try {
    return await kind.install(options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new BrokerUnavailableError(kind.name, (error as Error).message, { cause: error });
  }
}

async function reach(kind: BrokerKind, url: string): Promise<Broker> {
  const version = await probe(kind, url).catch((error: unknown) => {
    throw new BrokerUnavailableError(kind.name, `the server that ${kind.variable} names does not answer`, {
      cause: error,
    });
  });
  const refuse = (): never => {
    throw new Error(`${kind.name} was reached by ${kind.variable}, and only a server started here can be controlled`);
  };
  return {
    name: kind.name,
    version,
    url,
    durable: kind.durable,
    pid: null,
    folder: null,
    startedInMs: null,
    stop: async () => {},
    kill: async () => refuse(),
    freeze: refuse,
    resume: refuse,
    restart: async () => refuse(),
  };
}
