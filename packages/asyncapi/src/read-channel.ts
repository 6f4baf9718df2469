import type { Channel, ChannelAction } from "./channel.js";
import type { ServerObject } from "./document.js";
import { Options } from "./options.js";
import { type Address, TRANSPORTS } from "./transports.js";

/** A channel of the list, checked. */
export interface CheckedChannel extends Address {
  readonly transport: Channel["transport"];
  readonly servers: readonly ServerObject[];
  /** Null: any. */
  readonly source: string | null;
  /** Null: hooks without a tenant; undefined: any. */
  readonly tenant: string | null | undefined;
  readonly actions: readonly ChannelAction[];
}

const COMMON = ["transport", "source", "tenant", "actions"];
const ACTIONS: readonly ChannelAction[] = ["send", "receive"];

/**
 * Checks one channel of the list.
 *
 * @param given - as the caller gave it
 * @param index - where it stands
 * @throws InvalidChannelError with the first option that cannot be used
 */
export function readChannel(given: unknown, index: number): CheckedChannel {
  const options = new Options(given, index);
  const transport = options.value("transport");
  if (typeof transport !== "string" || !Object.hasOwn(TRANSPORTS, transport)) {
    throw options.invalid("transport", `expected one of ${Object.keys(TRANSPORTS).join(", ")}`);
  }
  const name = transport as Channel["transport"];
  const { names, read } = TRANSPORTS[name];
  options.allow([...COMMON, ...names]);
  const source = options.optionalText("source", { empty: true });
  const tenant = options.value("tenant");
  return {
    transport: name,
    source,
    tenant: tenant === undefined ? undefined : options.optionalText("tenant", { empty: true }),
    actions: readActions(options),
    ...read(options, source),
  };
}

function readActions(options: Options): readonly ChannelAction[] {
  if ((options.value("actions") ?? null) === null) return ACTIONS;
  const given = options.list("actions");
  if (!given.every((one) => ACTIONS.some((action) => action === one))) {
    throw options.invalid("actions", `expected a list of ${ACTIONS.join(" and ")}`);
  }
  return ACTIONS.filter((action) => given.includes(action));
}
