import { claimIdParts, type PackClaim, readClaim, writePack } from "@sinkwire/claim-check";
import { readDelivery } from "@sinkwire/delivery";
import {
  attributesSet,
  decodeMessage,
  deliveryId,
  encodeMessage,
  type ForwardOptions,
  formatClaimRef,
  forwardHeaders,
  type Hook,
  headersSet,
  idempotencyKey,
  type Message,
  parseClaimRef,
  planMessage,
  readMetadata,
  serializeMessage,
} from "@sinkwire/message";
import {
  base64,
  bytes,
  context,
  hook,
  isObject,
  limits,
  type Operation,
  type OperationInput,
  options,
  withBody,
} from "./input.js";
import { laneIds } from "./operations/lane-id.js";
import { transports } from "./operations/transports.js";

/** Every operation that this implementation knows, by its name in the vectors. */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ["decode_message", (input) => decoded(decodeMessage(bytes(input["bytes_base64"]), decodeOptions(input)))],
  [
    "encode_message",
    (input) => {
      const { bytes: message, form } = encodeMessage(hook(input["hook"]), context(input["context"]), options(input));
      return { message_base64: base64(message), form };
    },
  ],
  [
    "serialize_message",
    (input) => ({ message_base64: base64(serializeMessage(decodeMessage(bytes(input["bytes_base64"])))) }),
  ],
  ["plan_message", (input) => ({ form: planMessage(hook(input["hook"]), context(input["context"]), limits(input)) })],
  [
    "idempotency_key",
    (input) => ({
      key: idempotencyKey(input["message"] as Message, { includeReplay: input["include_replay"] as boolean }),
    }),
  ],
  ["delivery_id", (input) => ({ delivery_id: deliveryId(input as unknown as Pick<Message, "id" | "replay_id">) })],
  ["forward_headers", (input) => forwardHeaders(input["headers"] as Hook["headers"], context(input) as ForwardOptions)],
  ["parse_claim_ref", (input) => parseClaimRef(input["ref"] as string)],
  ["format_claim_ref", (input) => ({ ref: formatClaimRef(input as unknown as Parameters<typeof formatClaimRef>[0]) })],
  ["claim_id_parts", (input) => claimIdParts(input["claim_id"] as string, input["tenant_id"] as string)],
  ["write_pack", async (input) => ({ pack_base64: base64(await writePack(packClaims(input["claims"]))) })],
  [
    "read_claim",
    async (input) => ({
      body_base64: base64(await readClaim(bytes(input["pack_base64"]), input["position"] as number)),
    }),
  ],
  ["headers_set", (input) => ({ pairs: headersSet(hook(input["hook"]), context(input["context"])) })],
  ["attributes_set", (input) => ({ pairs: attributesSet(hook(input["hook"]), context(input["context"])) })],
  ["read_metadata", (input) => readMetadata(pairs(input["pairs"]))],
  [
    "read_delivery",
    (input) => {
      const body = input["bytes_base64"];
      const read = readDelivery(pairs(input["pairs"]), body === null ? null : bytes(body));
      if (read.kind === "invalid") throw read.error;
      return read.kind === "message" ? { kind: read.kind, id: read.message.id } : { kind: read.kind };
    },
  ],
  ...transports,
  ...laneIds,
]);

function decoded({ body, ...fields }: Message): unknown {
  return {
    ...fields,
    body_base64: body.form === "inline" ? base64(body.bytes) : null,
    claim: body.form === "claim" ? body.ref : null,
  };
}

function decodeOptions(input: OperationInput): { readonly maxBytes: number } {
  return { maxBytes: input["max_bytes"] as number };
}

function packClaims(value: unknown): readonly PackClaim[] {
  return (Array.isArray(value) ? value.map(withBody) : value) as readonly PackClaim[];
}

/** `{"base64": …}` stands for bytes, also inside a list. */
function pairs(value: unknown): unknown {
  return (value as readonly (readonly [unknown, unknown])[]).map(([name, given]) => [
    name,
    Array.isArray(given) ? given.map(metadataValue) : metadataValue(given),
  ]);
}

function metadataValue(value: unknown): unknown {
  return isObject(value) && typeof value["base64"] === "string" ? bytes(value["base64"]) : value;
}
