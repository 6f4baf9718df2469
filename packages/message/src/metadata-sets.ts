import { checkId, checkObject, checkOptionalText, checkText } from "./check.js";
import { computedKey } from "./keys.js";
import type { HeaderPair, Hook, PublishContext } from "./types.js";
import { MESSAGE_VERSION } from "./version.js";

/** What the metadata sets read of a hook. */
export type MetadataHook = Pick<Hook, "id" | "source_id" | "tenant_id" | "dedupe_key" | "traceparent" | "tracestate">;
/** What the metadata sets read of a publish context. */
export type MetadataContext = Pick<PublishContext, "replay_id" | "ordering_key">;

/**
 * The metadata that Kafka and NATS carry beside a message. The first six are always there, `ankusa_tenant_id` as `""`
 * without a tenant.
 *
 * @param hook - the hook; only the fields that are written are checked
 * @param context - the publish context, for `replay_id`
 * @returns name-value pairs in the order of the set
 * @throws {@link InvalidHookError} for a field that cannot be used
 */
export function headersSet(hook: MetadataHook, context?: MetadataContext | null): HeaderPair[] {
  const fields = metadataFields(hook, context);
  return [
    ...identity(fields),
    ...present([
      ["ankusa_dedupe_key", fields.dedupe_key],
      ["ankusa_replay_id", fields.replay_id],
      ["traceparent", fields.traceparent],
      ["tracestate", fields.tracestate],
    ]),
  ];
}

/**
 * The metadata that SQS, Pub/Sub and RabbitMQ carry beside a message. A pair whose value is null or `""` is left out.
 *
 * @param hook - the hook; only the fields that are written are checked
 * @param context - the publish context, for `replay_id` and `ordering_key`
 * @returns name-value pairs in the order of the set
 * @throws {@link InvalidHookError} for a field that cannot be used
 */
export function attributesSet(hook: MetadataHook, context?: MetadataContext | null): HeaderPair[] {
  const fields = metadataFields(hook, context);
  const ordering_key = checkOptionalText(context?.ordering_key, "ordering_key");
  return present([
    ...identity(fields),
    ["ankusa_dedupe_key", fields.dedupe_key],
    ["ankusa_replay_id", fields.replay_id],
    ["ankusa_ordering_key", ordering_key],
    ["traceparent", fields.traceparent],
    ["tracestate", fields.tracestate],
  ]);
}

interface MetadataFields {
  readonly id: string;
  readonly source_id: string;
  readonly tenant_id: string | null;
  readonly dedupe_key: string | null;
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  readonly replay_id: string | null;
}

function metadataFields(hook: MetadataHook, context: MetadataContext | null | undefined): MetadataFields {
  checkObject(hook, "hook");
  const fields = {
    id: checkId(hook.id),
    source_id: checkText(hook.source_id, "source_id"),
    tenant_id: checkOptionalText(hook.tenant_id, "tenant_id"),
    dedupe_key: checkOptionalText(hook.dedupe_key, "dedupe_key"),
    traceparent: checkOptionalText(hook.traceparent, "traceparent"),
    tracestate: checkOptionalText(hook.tracestate, "tracestate"),
  };
  const given = context ?? {};
  checkObject(given, "context");
  return { ...fields, replay_id: checkOptionalText(given.replay_id, "replay_id") };
}

function identity(fields: MetadataFields): HeaderPair[] {
  return [
    ["ankusa_id", fields.id],
    ["ankusa_source_id", fields.source_id],
    ["ankusa_tenant_id", fields.tenant_id ?? ""],
    ["ankusa_message_version", String(MESSAGE_VERSION)],
    ["ankusa_idempotency_key", computedKey(fields)],
    ["content_type", "application/json"],
  ];
}

function present(pairs: readonly (readonly [string, string | null])[]): HeaderPair[] {
  return pairs.filter((pair): pair is HeaderPair => pair[1] !== null && pair[1] !== "");
}
