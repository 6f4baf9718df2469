export { type EncodedFor, encodeFor, type Mapped, type MappingOptions, type Parts } from "./encode-for.js";
export { jsonMembers } from "./json-members.js";
export { addressOption, MAX_ADDRESS_BYTES, textOption } from "./options.js";
export { property, readBase64Body, readBody } from "./read-body.js";
export { orderingKey, pairsLength, sha256Form, sourceKey, utf8Length } from "./text.js";
