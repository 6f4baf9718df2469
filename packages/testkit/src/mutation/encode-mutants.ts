// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources, template strings among it
import { type Mutant, mutantsOf } from "./mutant.js";

/** The encoder: checks, canonical bytes, sizes, claims. */
export const ENCODE_MUTANTS: readonly Mutant[] = [
  ...mutantsOf("message/src/check.ts", [
    ["a default of 63 headers", "DEFAULT_MAX_HEADERS = 64", "DEFAULT_MAX_HEADERS = 63"],
    ["a default of 16,383 header bytes", "DEFAULT_MAX_HEADER_BYTES = 16_384", "DEFAULT_MAX_HEADER_BYTES = 16_383"],
    ["a default of 65,535 bytes inline", "DEFAULT_INLINE_MAX_BYTES = 65_536", "DEFAULT_INLINE_MAX_BYTES = 65_535"],
    ["a default of 65,537 bytes inline", "DEFAULT_INLINE_MAX_BYTES = 65_536", "DEFAULT_INLINE_MAX_BYTES = 65_537"],
    ["a default message one byte larger", "DEFAULT_MAX_BYTES = 1_048_576", "DEFAULT_MAX_BYTES = 1_048_577"],
    ["a hook's empty id", 'if (checkText(id, "id") === "")', 'if (checkText(id, "id") === "\\u0000")'],
    ["ill-formed text in a hook", "if (!value.isWellFormed()) throw", "if (false as boolean) throw"],
    [
      "ill-formed text in a header",
      'return typeof value === "string" && value.isWellFormed();',
      'return typeof value === "string";',
    ],
    ["headers of three elements", " && pair.length === 2", ""],
    ["a negative limit", "if (!isInteger(value) || value < 0) throw", "if (!isInteger(value)) throw"],
    [
      "received_at is checked before tenant_id",
      'source_id: checkText(hook.source_id, "source_id"),\n',
      'source_id: checkText(hook.source_id, "source_id"),\n    ...(checkReceivedAt(hook.received_at) && {}),\n',
    ],
    [
      "traceparent is checked before the headers",
      "dedupe_key: checkOptionalText(hook.dedupe_key",
      'traceparent: checkOptionalText(hook.traceparent, "traceparent"),\n    dedupe_key: checkOptionalText(hook.dedupe_key',
    ],
    [
      "an absent verification stays absent",
      'return verification ?? { status: "skipped", flagged: false };',
      "return verification as never;",
    ],
    [
      "an absent verification is ok",
      'return verification ?? { status: "skipped"',
      'return verification ?? { status: "ok"',
    ],
    [
      "an unusable forward list",
      "if (names?.every(isText) === true) return names;",
      "if (names) return names as string[];",
    ],
    [
      "an unknown forward mode forwards all",
      'if (forward === undefined || forward === null || forward === "default")',
      'if (forward === undefined || forward === null || typeof forward === "string")',
    ],
    [
      "the forwarding options are not checked in a context",
      "forwarding: checkForwarding(given),",
      "forwarding: checkForwarding({}),",
    ],
  ]),
  ...mutantsOf("message/src/encode.ts", [
    [
      "a body of exactly inlineMaxBytes needs a claim",
      "if (body.length <= limits.inlineMaxBytes && inlineSize",
      "if (body.length < limits.inlineMaxBytes && inlineSize",
    ],
    [
      "a message of exactly maxBytes needs a claim",
      "inlineSize <= limits.maxBytes) {",
      "inlineSize < limits.maxBytes) {",
    ],
    ["an inline message over maxBytes", " && inlineSize <= limits.maxBytes) {", ") {"],
    ["a claim message over maxBytes", "if (size > limits.maxBytes) throw", "if (false as boolean) throw"],
    [
      "a claim message of exactly maxBytes is too large",
      "if (size > limits.maxBytes) throw",
      "if (size >= limits.maxBytes) throw",
    ],
    ["a hopeless body asks for a claim", "if (isHopeless(draft)) throw new", "if (false as boolean) throw new"],
    [
      "a body over inlineMaxBytes is hopeless too",
      "return body.length > limits.maxBytes && limits.inlineMaxBytes >= body.length;",
      "return body.length > limits.maxBytes;",
    ],
    [
      "a claim wins over an inline body",
      "if (body.length <= limits.inlineMaxBytes && inlineSize",
      "if (!options?.claim && body.length <= limits.inlineMaxBytes && inlineSize",
    ],
    [
      "a malformed digest of a claim is a mismatch",
      "if (parsed === null || !isSha256(claimed)) {",
      "if (parsed === null) {",
    ],
    ["a claim of another body", "if (claimed !== sha256) throw", "if (false as boolean) throw"],
    ["a claim of another tenant", "if (tenant !== null && tenant !== parsed.tenant_id) {", "if (false as boolean) {"],
    [
      "a claim needs the hook's tenant",
      "if (tenant !== null && tenant !== parsed.tenant_id) {",
      "if (tenant !== parsed.tenant_id) {",
    ],
    [
      "the tenant is compared before the digest",
      "if (claimed !== sha256) throw",
      'if (tenant !== null && tenant !== parsed.tenant_id) throw new ClaimError("tenant_mismatch", "");\n  if (claimed !== sha256) throw',
    ],
    ["the plan counts a shorter reference", "claim:v1:${draft.tenant ??", "claim:v:${draft.tenant ??"],
    ["the plan counts no tenant as default", 'draft.tenant ?? ""', 'draft.tenant ?? "default"'],
    ["the plan has an exclusive limit", '+ overhead <= maxBytes ? "claim"', '+ overhead < maxBytes ? "claim"'],
    ["the plan ignores a hopeless body", 'if (isHopeless(draft)) return "too_large";', ""],
    [
      "the plan has an exclusive inline limit",
      "if (draft.body.length <= inlineMaxBytes",
      "if (draft.body.length < inlineMaxBytes",
    ],
    ["base64 is counted without its padding", "Math.ceil(body.length / 3) * 4", "Math.ceil((body.length * 4) / 3)"],
  ]),
  ...mutantsOf("message/src/canonical.ts", [
    [
      "noncharacters stay literal",
      'if (!json.includes("\\ufffe") && !json.includes("\\uffff")) return json;',
      "if (json.length > 0) return json;",
    ],
    ["U+FFFF stays literal", '.replaceAll("\\uffff", "\\\\uffff")', ""],
    [
      "an empty ordering_key is written",
      'fields.ordering_key === null || fields.ordering_key === "" ? undefined',
      "fields.ordering_key === null ? undefined",
    ],
    [
      "a null ordering_key is written",
      'fields.ordering_key === null || fields.ordering_key === "" ? undefined',
      'fields.ordering_key === "" ? undefined',
    ],
    ["headers stay in order of arrival", "[...headers].sort((a, b) => compareUtf8(a[0], b[0]));", "[...headers];"],
    ["headers are in order of UTF-16", "return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;", "return unit;"],
    ["integer-like header names come first", "if (MAY_BE_AN_INDEX.test(header[0])) return null;", ""],
    [
      "a header named __proto__ is lost",
      "const object = new Dictionary();",
      "const object: Record<string, string> = {};",
    ],
    [
      "a prefix comes after the longer name",
      "return a < b ? -1 : a > b ? 1 : 0;",
      "return b.startsWith(a) ? 1 : a.startsWith(b) ? -1 : a < b ? -1 : 1;",
    ],
    [
      "sha256 after body_base64",
      '`${sha256 === null ? "" : `,"sha256":"${sha256}"`},"body_base64":"${base64}"}`',
      '`,"body_base64":"${base64}"${sha256 === null ? "" : `,"sha256":"${sha256}"`}}`',
    ],
    [
      "tenant_id before source_id",
      "    source_id,\n    tenant_id,\n    received_at,\n    content_type,\n    size,",
      "    tenant_id,\n    source_id,\n    received_at,\n    content_type,\n    size,",
    ],
    [
      "region before instance",
      "    instance,\n    region,\n    ordering_key:",
      "    region,\n    instance,\n    ordering_key:",
    ],
  ]),
  ...mutantsOf("message/src/serialize.ts", [
    [
      "a version 2 is written as 1",
      "const { fields, body } = checked;",
      "const { fields, body } = checked;\n  fields.v = 1;",
    ],
    [
      "a missing key is filled in",
      "const { fields, body } = checked;",
      "const { fields, body } = checked;\n  fields.idempotency_key ??= fields.id;",
    ],
    ["a missing digest is filled in", "const { sha256 } = fields;", 'const sha256 = fields.sha256 ?? "0".repeat(64);'],
    [
      "a null verification is filled in",
      "const { fields, body } = checked;",
      'const { fields, body } = checked;\n  fields.verification ??= { status: "skipped", flagged: false };',
    ],
  ]),
];
