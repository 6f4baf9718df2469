import { encodeMessage, type Hook } from "@sinkwire/message";
import type { JsonObject, MessageObject } from "./document.js";
import { loadSchema, type SchemaName } from "./load-schema.js";
import type { CheckedChannel } from "./read-channel.js";
import { stableId } from "./stable-id.js";
import { TRANSPORTS } from "./transports.js";

/** The schemas of a document, by the names that they have in it. */
const MESSAGE_SCHEMA = "SinkMessageV1";
const METADATA_SCHEMA = "SinkMessageHeadersV1";

/** Which messages a channel carries, and on what. */
export type MessageScope = Pick<CheckedChannel, "transport" | "source" | "tenant">;

/** The schemas that messages refer to: nothing in them is a reference, and they read as draft 7 as well. */
export function messageSchemas(): { readonly [name: string]: JsonObject } {
  return { [METADATA_SCHEMA]: embedded("metadata"), [MESSAGE_SCHEMA]: embedded("message") };
}

/** The id of a message: one for each transport, source and tenant. */
export function messageId({ transport, source, tenant }: MessageScope): string {
  return stableId(
    ["message", transport, source ?? "any-source", tenant === undefined ? "any-tenant" : (tenant ?? "no-tenant")],
    tenant === undefined ? [transport, source] : [transport, source, tenant],
  );
}

/** Whether a message could be of both scopes. */
export function overlap(one: MessageScope, other: MessageScope): boolean {
  const sources = one.source === null || other.source === null || one.source === other.source;
  const tenants = one.tenant === undefined || other.tenant === undefined || one.tenant === other.tenant;
  return sources && tenants;
}

/** The message of a scope: payload and metadata narrowed to its source and tenant, with an example of both. */
export function narrowedMessage(scope: MessageScope): MessageObject {
  const { binding, metadata, messageBinding } = TRANSPORTS[scope.transport];
  const hook = exampleOf(scope);
  return {
    name: MESSAGE_SCHEMA,
    title: titleOf(scope),
    contentType: "application/json",
    ...(metadata === null ? {} : { headers: narrowedMetadata(scope) }),
    payload: narrowedPayload(scope),
    bindings: { [binding]: messageBinding },
    examples: [
      {
        ...(metadata === null ? {} : { headers: Object.fromEntries(metadata(hook)) }),
        payload: JSON.parse(Buffer.from(encodeMessage(hook).bytes).toString()) as JsonObject,
      },
    ],
  };
}

function narrowedPayload({ source, tenant }: MessageScope): JsonObject {
  const required = [...(source === null ? [] : ["source_id"]), ...(typeof tenant === "string" ? ["tenant_id"] : [])];
  return narrowed(
    MESSAGE_SCHEMA,
    {
      ...(source === null ? {} : { source_id: { const: source } }),
      ...(tenant === undefined ? {} : { tenant_id: tenant === null ? { type: "null" } : { const: tenant } }),
    },
    required.length === 0 ? {} : { required },
  );
}

/** A broker may not be able to carry a name, so none is required. */
function narrowedMetadata({ source, tenant }: MessageScope): JsonObject {
  return narrowed(METADATA_SCHEMA, {
    ...(source === null ? {} : { ankusa_source_id: { const: source } }),
    ...(tenant === undefined ? {} : { ankusa_tenant_id: { const: tenant ?? "" } }),
  });
}

function narrowed(schema: string, properties: JsonObject, rest: JsonObject = {}): JsonObject {
  const reference = { $ref: `#/components/schemas/${schema}` };
  return Object.keys(properties).length === 0 ? reference : { type: "object", allOf: [reference], properties, ...rest };
}

function titleOf({ source, tenant }: MessageScope): string {
  const hooks = source === null ? "Webhooks of any source" : `Webhooks of the source ${source}`;
  if (tenant === undefined) return hooks;
  return tenant === null ? `${hooks}, without a tenant` : `${hooks}, of the tenant ${tenant}`;
}

function exampleOf({ source, tenant }: MessageScope): Hook {
  return {
    id: "evt_1",
    source_id: source ?? "github",
    tenant_id: tenant === undefined ? "acme" : tenant,
    received_at: Date.UTC(2026, 0, 1),
    content_type: "application/json",
    body: Buffer.from('{"action":"opened"}'),
    headers: [["X-GitHub-Event", "issues"]],
    verification: { status: "ok", flagged: false },
  };
}

function embedded(name: SchemaName): JsonObject {
  const { $schema, $id, ...schema } = loadSchema(name);
  return schema;
}
