import { checkClaim, checkInline } from "./body.js";
import { isBytes } from "./bytes.js";
import { canonicalHead, claimTail, inlineTail } from "./canonical.js";
import { tryParseClaimRef } from "./claim-ref.js";
import { InvalidMessageError } from "./errors.js";
import { Failure, invalidField } from "./failure.js";
import { type CommonFields, readFields } from "./fields.js";
import { own } from "./own.js";
import { textToUtf8, toBase64 } from "./runtime/node.js";
import type { Message, MessageBody } from "./types.js";

/**
 * Writes a message canonically: what bridges, redrives and dead-letter producers send on. Its `v` and its keys stay as
 * they are; every nullable field is written, null when absent; a null `sha256` and an `ordering_key` that is null or
 * `""` are left out; names that the codec does not know are not kept.
 *
 * @param message - a decoded message, or an object of the same shape
 * @returns canonical bytes, which decode to the same message
 * @throws {@link InvalidMessageError} when the object is no message: what is written always decodes
 */
export function serializeMessage(message: Message): Uint8Array {
  const checked = checkMessage(message);
  if (checked instanceof Failure)
    throw new InvalidMessageError(checked.code, checked.message, { field: checked.field });
  const { fields, body } = checked;
  const head = canonicalHead(fields, Object.entries(fields.headers));
  const { sha256 } = fields;
  const tail = body.form === "inline" ? inlineTail(sha256, toBase64(body.bytes)) : claimTail(body.ref, sha256 ?? "");
  return textToUtf8(head + tail);
}

function checkMessage(message: unknown): { fields: CommonFields; body: MessageBody } | Failure {
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    return new Failure("not_an_object", null, "not a message object");
  }
  // In an object null equals absent for every field; on the wire a null sha256 is refused.
  const sha256 = own(message, "sha256") ?? undefined;
  const fields = readFields({ ...message, headers: own(message, "headers") ?? {}, sha256 });
  if (fields instanceof Failure) return fields;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string" && !value.isWellFormed()) return invalidField(name, "well-formed text");
  }
  for (const [name, value] of Object.entries(fields.headers)) {
    if (!name.isWellFormed() || !value.isWellFormed()) return invalidField("headers", "well-formed text");
  }
  const body = readBody(own(message, "body"));
  if (body instanceof Failure) return body;
  const mismatch = body.form === "claim" ? checkClaim(fields, body.ref) : checkInline(fields, body.bytes);
  return mismatch ?? { fields, body };
}

function readBody(body: unknown): MessageBody | Failure {
  const given = (typeof body === "object" && body !== null ? body : {}) as Partial<Record<string, unknown>>;
  if (given["form"] === "inline" && isBytes(given["bytes"])) return { form: "inline", bytes: given["bytes"] };
  if (given["form"] !== "claim") {
    return new Failure("missing_body", null, "the body is neither inline bytes nor a claim");
  }
  const ref = given["ref"];
  if (typeof ref !== "string" || tryParseClaimRef(ref) === null) {
    return invalidField("claim", "a claim reference of version 1 or 2");
  }
  return { form: "claim", ref };
}
