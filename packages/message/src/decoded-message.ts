import type { CommonFields } from "./fields.js";
import { toBase64 } from "./runtime/node.js";
import type { Message, MessageBody, Verification } from "./types.js";

/** A message as {@link decodeMessage} gives it: plain data, and `toJSON`, which makes it a message on the wire again. */
export class DecodedMessage implements Message {
  readonly v: number;
  readonly id: string;
  readonly source_id: string;
  readonly tenant_id: string | null;
  readonly received_at: number;
  readonly content_type: string | null;
  readonly size: number;
  readonly dedupe_key: string | null;
  readonly replay_id: string | null;
  readonly idempotency_key: string | null;
  readonly verification: Verification | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  readonly instance: string | null;
  readonly region: string | null;
  readonly ordering_key: string | null;
  readonly sha256: string | null;
  readonly body: MessageBody;

  constructor(fields: CommonFields, body: MessageBody) {
    this.v = fields.v;
    this.id = fields.id;
    this.source_id = fields.source_id;
    this.tenant_id = fields.tenant_id;
    this.received_at = fields.received_at;
    this.content_type = fields.content_type;
    this.size = fields.size;
    this.dedupe_key = fields.dedupe_key;
    this.replay_id = fields.replay_id;
    this.idempotency_key = fields.idempotency_key;
    this.verification = fields.verification;
    this.headers = fields.headers;
    this.traceparent = fields.traceparent;
    this.tracestate = fields.tracestate;
    this.instance = fields.instance;
    this.region = fields.region;
    this.ordering_key = fields.ordering_key;
    this.sha256 = fields.sha256;
    this.body = body;
  }

  /** The message as the wire has it; what is null there and may be left out is left out where it must be. */
  toJSON(): Record<string, unknown> {
    const { body, sha256, ordering_key, ...fields } = this;
    return {
      ...fields,
      ...(ordering_key === null || ordering_key === "" ? {} : { ordering_key }),
      ...(body.form === "claim" ? { claim: body.ref } : {}),
      ...(sha256 === null ? {} : { sha256 }),
      ...(body.form === "inline" ? { body_base64: toBase64(body.bytes) } : {}),
    };
  }
}
