import { checkId, checkObject, checkOptionalText, checkText } from "./check.js";
import { InvalidHookError } from "./errors.js";
import type { Message } from "./types.js";

type OptionalKeyFields = Pick<Message, "tenant_id" | "dedupe_key" | "idempotency_key" | "replay_id">;

/** What {@link idempotencyKey} reads of a message, or of a hook. */
export type KeyFields = Pick<Message, "id" | "source_id"> & {
  readonly [Name in keyof OptionalKeyFields]?: OptionalKeyFields[Name] | undefined;
};

/** How to compute a key. */
export interface KeyOptions {
  /** Append `#replay:<replay_id>` for a replay, so that a deliberate replay is not taken for a duplicate. Default false. */
  readonly includeReplay?: boolean | null | undefined;
}

/**
 * The key that a consumer deduplicates on: the shipped one if it is a string that is not empty, else
 * `<tenant, or "default" when null>:<source_id>:<dedupe_key>` when there is a dedupe key, else the hook's id.
 *
 * @param message - a decoded message, or the fields that the rule uses
 * @param options - `includeReplay`
 * @returns the key
 * @throws {@link InvalidHookError} when a field that the rule uses cannot be used
 */
export function idempotencyKey(message: KeyFields, options?: KeyOptions): string {
  checkObject(message, "message");
  const includeReplay = options?.includeReplay ?? false;
  const shipped = message.idempotency_key as unknown;
  const key =
    typeof shipped === "string" && shipped !== ""
      ? checkText(shipped, "idempotency_key")
      : computedKey({
          id: checkId(message.id),
          source_id: checkText(message.source_id, "source_id"),
          tenant_id: checkOptionalText(message.tenant_id, "tenant_id"),
          dedupe_key: checkOptionalText(message.dedupe_key, "dedupe_key"),
        });
  if (typeof includeReplay !== "boolean") throw new InvalidHookError("include_replay", "expected a boolean");
  const replayId = includeReplay ? checkOptionalText(message.replay_id, "replay_id") : null;
  return replayId === null || replayId === "" ? key : `${key}#replay:${replayId}`;
}

/** The key that a producer ships, from fields that were checked. */
export function computedKey(hook: Pick<Message, "id" | "source_id" | "tenant_id" | "dedupe_key">): string {
  if (hook.dedupe_key === null || hook.dedupe_key === "") return hook.id;
  return `${hook.tenant_id ?? "default"}:${hook.source_id}:${hook.dedupe_key}`;
}

/**
 * The id that a broker deduplicates a delivery on: the hook's id, or `<id>:replay:<replay_id>` for a replay.
 *
 * @param message - a decoded message, or its `id` and `replay_id`
 * @returns the delivery id
 * @throws {@link InvalidHookError} for an id or a replay id that cannot be used
 */
export function deliveryId(message: { readonly id: string; readonly replay_id?: string | null | undefined }): string {
  checkObject(message, "message");
  const id = checkId(message.id);
  const replayId = checkOptionalText(message.replay_id, "replay_id");
  return replayId === null || replayId === "" ? id : `${id}:replay:${replayId}`;
}
