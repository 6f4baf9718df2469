import type { Channel } from "./channel.js";
import type {
  AsyncApiDocument,
  ChannelObject,
  JsonObject,
  OperationObject,
  Reference,
  ServerObject,
} from "./document.js";
import { InvalidChannelError } from "./errors.js";
import { messageId, messageSchemas, narrowedMessage, overlap } from "./narrowed-message.js";
import { Options } from "./options.js";
import { type CheckedChannel, readChannel } from "./read-channel.js";
import { sorted, stableId } from "./stable-id.js";
import { TRANSPORTS } from "./transports.js";

/** What a document says of itself. */
export interface AsyncApiOptions {
  /** Default `Webhooks on queues`. */
  readonly title?: string | null | undefined;
  /** Version of the document, not of the message. Default `1.0.0`. */
  readonly version?: string | null | undefined;
  /** CommonMark. Default: a sentence on sink messages. */
  readonly description?: string | null | undefined;
}

const DEFAULTS = {
  title: "Webhooks on queues",
  version: "1.0.0",
  description: "Where sink messages travel: one webhook each, the same bytes on every queue.",
};

/** The channels of the list that share one address. */
interface Group {
  readonly first: CheckedChannel;
  readonly serverIds: readonly string[];
  /** By id of the message; the actions of all channels with that message. */
  readonly members: Map<string, CheckedChannel>;
}

/**
 * Builds the AsyncAPI 3.0 document of a list of channels. Channels of one address and one set of servers become one
 * channel with several messages.
 *
 * The document is the same for the same channels in any order, and the id of a part depends on that part alone. It holds
 * no credentials: an option that has them is refused.
 *
 * @param channels - where messages travel
 * @param options - what the document says of itself
 * @returns the document, plain JSON
 * @throws InvalidChannelError for a channel or an option that cannot be used, and for channels that overlap: a message of
 *   one address that would be of two
 */
export function buildAsyncApi(channels: readonly Channel[], options?: AsyncApiOptions | null): AsyncApiDocument {
  if (!Array.isArray(channels)) throw new InvalidChannelError(null, "channels", "expected a list");
  const info = readInfo(options);
  const checked = Array.from(channels, readChannel);
  const groups = group(checked);
  return {
    asyncapi: "3.0.0",
    info,
    defaultContentType: "application/json",
    servers: sorted(checked.flatMap(({ servers }) => servers.map((server) => [serverId(server), server] as const))),
    channels: sorted([...groups].map(([id, one]) => [id, channelObject(one)] as const)),
    operations: sorted([...groups].flatMap(([id, one]) => operations(id, one))),
    components: {
      schemas: messageSchemas(),
      messages: sorted(checked.map((one) => [messageId(one), narrowedMessage(one)] as const)),
    },
  };
}

function readInfo(given: AsyncApiOptions | null | undefined): AsyncApiDocument["info"] {
  const options = new Options(given ?? {}, null);
  options.allow(Object.keys(DEFAULTS));
  return {
    title: options.optionalText("title") ?? DEFAULTS.title,
    version: options.optionalText("version") ?? DEFAULTS.version,
    description: options.optionalText("description") ?? DEFAULTS.description,
  };
}

function group(channels: readonly CheckedChannel[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const [index, one] of channels.entries()) {
    const serverIds = [...new Set(one.servers.map(serverId))].sort();
    const { transport, within, address, template } = one;
    const id = stableId([transport, within, address], [transport, within, address, template, ...serverIds]);
    const { members } = groups.get(id) ?? { members: new Map<string, CheckedChannel>() };
    const message = messageId(one);
    const same = members.get(message);
    if (same === undefined && [...members.values()].some((other) => overlap(one, other))) {
      throw new InvalidChannelError(index, "source", "a message of this channel would be of another one, too");
    }
    members.set(message, same === undefined ? one : { ...one, actions: [...one.actions, ...same.actions] });
    groups.set(id, { first: one, serverIds, members });
  }
  return groups;
}

function channelObject({ first, serverIds, members }: Group): ChannelObject {
  const { transport, address, template, description, channelBinding } = first;
  const readable = template || !/[{}]/.test(address);
  return {
    address: readable ? address : null,
    ...(readable ? {} : { "x-sinkwire-address": address }),
    description,
    messages: sorted([...members.keys()].map((id) => [id, reference("components/messages", id)] as const)),
    servers: serverIds.map((id) => reference("servers", id)),
    ...(template ? { parameters: PARAMETERS } : {}),
    ...bindings(transport, channelBinding),
  };
}

const PARAMETERS = {
  source_id: { description: "The source of the webhook.", location: "$message.payload#/source_id" },
};

function operations(channel: string, { first, members }: Group): (readonly [string, OperationObject])[] {
  return (["send", "receive"] as const).flatMap((action) => {
    const messages = [...members].filter(([, { actions }]) => actions.includes(action)).map(([id]) => id);
    if (messages.length === 0) return [];
    const operation = {
      action,
      channel: reference("channels", channel),
      messages: messages.sort().map((id) => reference(`channels/${channel}/messages`, id)),
      ...bindings(first.transport, first.operationBindings[action]),
    };
    return [[`${action}-${channel}`, operation] as const];
  });
}

function bindings(transport: Channel["transport"], binding: JsonObject | null): JsonObject {
  return binding === null ? {} : { bindings: { [TRANSPORTS[transport].binding]: binding } };
}

function serverId(server: ServerObject): string {
  const { host, protocol, pathname = null, description = null } = server;
  return stableId([protocol, host], [protocol, host, pathname, description]);
}

function reference(folder: string, id: string): Reference {
  return { $ref: `#/${folder}/${id}` };
}
