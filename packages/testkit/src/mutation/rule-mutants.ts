// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources, template strings among it
import { type Mutant, mutantsOf } from "./mutant.js";

/** Forwarded headers, keys, claim references and ids, metadata, packs. */
export const RULE_MUTANTS: readonly Mutant[] = [
  ...mutantsOf("message/src/forward-headers.ts", [
    ...["authorization", "proxy-authorization", "cookie", "x-api-key", "host", "content-length", "content-type"].map(
      (name) => [`${name} is forwarded`, `  "${name}",\n`, ""] as const,
    ),
    ...["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect"].map(
      (name) => [`${name} is forwarded`, `  "${name}",\n`, ""] as const,
    ),
    ["internal headers are forwarded", "|| name.startsWith(INTERNAL_PREFIX)", ""],
    [
      "names that begin as internal ones do are held back",
      'INTERNAL_PREFIX = "x-ankusa-"',
      'INTERNAL_PREFIX = "x-ankusa"',
    ],
    ["names are compared as they came", "options.forward.map(asciiLower)", "options.forward"],
    ["all of Unicode is lowercased", "return utf8Length(name) === name.length\n", "return name.length >= 0\n"],
    ["a list forwards everything", "|| wanted?.has(name) === false", ""],
    [
      "an empty list is the default",
      'options.forward === "default" ? null',
      'options.forward === "default" || options.forward.length === 0 ? null',
    ],
    ["repeated values are joined without a space", "`${before}, ${value}`", "`${before},${value}`"],
    ["the last of repeated values wins", "before === undefined ? value :", "before === undefined || value ? value :"],
    [
      "one header more than maxHeaders",
      "if (kept.length >= options.maxHeaders) {",
      "if (kept.length > options.maxHeaders) {",
    ],
    ["a header that fits exactly is dropped", "if (size > left) {", "if (size >= left) {"],
    ["names cost nothing", "utf8Length(name) + utf8Length(value)", "utf8Length(value)"],
    ["bytes are UTF-16 units", "utf8Length(name) + utf8Length(value)", "name.length + value.length"],
    ["nothing is kept after a header that did not fit", "      bytes++;\n", "      bytes++;\n      left = -1;\n"],
    ["a dropped header costs its bytes", "      bytes++;\n", "      bytes++;\n      left -= size;\n"],
    [
      "bytes are tested before the count",
      "if (kept.length >= options.maxHeaders) {",
      "if (utf8Length(name) + utf8Length(value) <= left && kept.length >= options.maxHeaders) {",
    ],
  ]),
  ...mutantsOf("message/src/keys.ts", [
    ["a null tenant is empty in a key", '${hook.tenant_id ?? "default"}', '${hook.tenant_id ?? ""}'],
    ["an empty tenant is the default in a key", '${hook.tenant_id ?? "default"}', '${hook.tenant_id || "default"}'],
    [
      "an empty dedupe key counts",
      'if (hook.dedupe_key === null || hook.dedupe_key === "")',
      "if (hook.dedupe_key === null)",
    ],
    ["a shipped key is not used", 'typeof shipped === "string" && shipped !== ""', "false as boolean"],
    ["an empty shipped key is used", 'typeof shipped === "string" && shipped !== ""', 'typeof shipped === "string"'],
    ["replays are included by default", "options?.includeReplay ?? false", "options?.includeReplay ?? true"],
    [
      "an empty replay id is appended to a key",
      'replayId === null || replayId === "" ? key',
      "replayId === null ? key",
    ],
    ["a key separates replays as a delivery id does", "`${key}#replay:${replayId}`", "`${key}:replay:${replayId}`"],
    ["a delivery id separates replays as a key does", "`${id}:replay:${replayId}`", "`${id}#replay:${replayId}`"],
    [
      "an empty replay id is appended to a delivery id",
      'replayId === null || replayId === "" ? id',
      "replayId === null ? id",
    ],
  ]),
  ...mutantsOf("message/src/claim-ref.ts", [
    ["a tenant of 65 characters", "[A-Za-z0-9_-]{1,64}$/", "[A-Za-z0-9_-]{1,65}$/"],
    ["a tenant of 63 characters at most", "[A-Za-z0-9_-]{1,64}$/", "[A-Za-z0-9_-]{1,63}$/"],
    ["an empty tenant", "[A-Za-z0-9_-]{1,64}$/", "[A-Za-z0-9_-]{0,64}$/"],
    ["a dot in a tenant", "const TENANT = /^[A-Za-z0-9_-]", "const TENANT = /^[A-Za-z0-9_.-]"],
    ["lowercase claim ids", "[0-9A-HJKMNP-TV-Z]{25}$/", "[0-9A-HJKMNP-TV-Z]{25}$/i"],
    ["aliases in claim ids", "[0-9A-HJKMNP-TV-Z]{25}$/", "[0-9A-Z]{25}$/"],
    ["claim ids beyond 128 bits", "/^[0-7][0-9A-HJ", "/^[0-9A-Z][0-9A-HJ"],
    ["a claim id with a line feed after it", "[0-9A-HJKMNP-TV-Z]{25}$/", "[0-9A-HJKMNP-TV-Z]{25}\\n?$/"],
    ["an exp with a leading zero", "const EXP = /^[1-9][0-9]{0,11}$/", "const EXP = /^[0-9]{1,12}$/"],
    ["an exp of 13 digits", "const EXP = /^[1-9][0-9]{0,11}$/", "const EXP = /^[1-9][0-9]{0,12}$/"],
    ["a sig of 42 characters", "{43}$/;\n", "{42,43}$/;\n"],
    ["parts after a reference", "return rest.length === 0 ?", "return rest.length >= 0 ?"],
    [
      "a version 1 with exp and sig",
      "return exp === null && sig === null ? {",
      "return exp === null || sig !== null ? {",
    ],
    ["a version 2 is refused", 'if (version !== "2" ||', 'if (version !== "9" ||'],
    ["the path of a version 2 is that of version 1", "path: `${path}?exp=${exp}&sig=${sig}`", "path"],
    ["a version as text is formatted", 'typeof version === "number" ? String(version) : undefined', "String(version)"],
  ]),
  ...mutantsOf("message/src/metadata-sets.ts", [
    [
      "no tenant is left out of the headers set",
      "return [\n    ...identity(fields),\n    ...present([",
      "return [\n    ...present(identity(fields)),\n    ...present([",
    ],
    [
      "the headers set has the ordering key",
      '      ["ankusa_replay_id", fields.replay_id],\n',
      '      ["ankusa_replay_id", fields.replay_id],\n      ["ankusa_ordering_key", context?.ordering_key ?? null],\n',
    ],
    ["the attributes set has no ordering key", '    ["ankusa_ordering_key", ordering_key],\n', ""],
    ["an empty value is written", 'pair[1] !== null && pair[1] !== ""', "pair[1] !== null"],
    [
      "the content type is the hook's",
      '["content_type", "application/json"]',
      '["content_type", "application/octet-stream"]',
    ],
    [
      "tracestate before traceparent",
      '      ["traceparent", fields.traceparent],\n      ["tracestate", fields.tracestate],\n',
      '      ["tracestate", fields.tracestate],\n      ["traceparent", fields.traceparent],\n',
    ],
  ]),
  ...mutantsOf("message/src/read-metadata.ts", [
    [
      "names match in any case",
      'typeof name === "string" && FIELD_OF.has(name)',
      'typeof name === "string" && FIELD_OF.has(name.toLowerCase())',
    ],
    ["the last identity wins", 'IDENTITY.has(name) ? "conflict" : "repeated"', '"repeated"'],
    ["any two values are a conflict", 'IDENTITY.has(name) ? "conflict" : "repeated"', '"conflict"'],
    ["equal values are a problem too", "reading.value !== null && reading.value !== text", "reading.value !== null"],
    ["the first value wins", "      reading.value = text;", "      reading.value ??= text;"],
    ["an empty value counts", '} else if (text !== "") {', "} else {"],
    ["signed bytes are unreadable", "number >= -128", "number >= 0"],
    ["byte numbers wrap around", "&& number >= -128 && number <= 255", ""],
    ["SNS attributes are unreadable", '  ["Type", "Value"],\n', ""],
    ["binary attributes are readable", ' && !type.startsWith("Binary")', ""],
    [
      "an attribute without a text is absent",
      "    if (typeof type ===",
      '    if (typeof type === "string" && value === undefined) return "";\n    if (typeof type ===',
    ],
    ["ill-formed text is readable", "return value.isWellFormed() ? value : UNREADABLE;", "return value;"],
    [
      "an unreadable value is no problem",
      'if (text === UNREADABLE) {\n      reading.problems.add("unreadable");',
      "if (text === UNREADABLE) {",
    ],
    ["content_type has no problems", '  ["content_type", null],\n', ""],
  ]),
  ...mutantsOf("delivery/src/read-delivery.ts", [
    ["the metadata is not verified", '(options?.metadata ?? "verify") === "verify"', "false as boolean"],
    ["a conflict is no mismatch", "if (conflicts.has(name))", "if (false as boolean)"],
    [
      "the key is compared as shipped",
      'field === "idempotency_key" ? idempotencyKey(message) : message[field]',
      "message[field]",
    ],
    [
      "absent metadata is a mismatch",
      "metadata[field] !== null && metadata[field] !== expected",
      "metadata[field] !== expected",
    ],
    [
      "the tenant is compared before the source",
      '  ["source_id", "ankusa_source_id"],\n  ["tenant_id", "ankusa_tenant_id"],\n',
      '  ["tenant_id", "ankusa_tenant_id"],\n  ["source_id", "ankusa_source_id"],\n',
    ],
  ]),
  ...mutantsOf("claim-check/src/claim-id.ts", [
    ["15 bits of position", "const POSITION_BITS = 16n;", "const POSITION_BITS = 15n;"],
    [
      "a pack id keeps its position",
      "const pack_id = ulid((value >> POSITION_BITS) << POSITION_BITS);",
      "const pack_id = ulid(value);",
    ],
    [
      "years beyond 9999 have a sign",
      'String(date.getUTCFullYear()).padStart(4, "0")',
      'String(date.getUTCFullYear()).padStart(4, "0").replace(/^(?=.{5})/, "+")',
    ],
    ["months are counted from 0", "date.getUTCMonth() + 1", "date.getUTCMonth()"],
    ["a key without its tenant", "claims/tenant=${tenantId}/", "claims/"],
  ]),
];
