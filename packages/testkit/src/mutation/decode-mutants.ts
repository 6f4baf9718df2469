import { type Mutant, mutantsOf } from "./mutant.js";

/** The decoder, rule by rule. */
export const DECODE_MUTANTS: readonly Mutant[] = [
  ...mutantsOf("message/src/decode.ts", [
    [
      "maxBytes is exclusive",
      "    if (input.length > maxBytes) return tooLong(maxBytes);\n    if (input[0]",
      "    if (input.length >= maxBytes) return tooLong(maxBytes);\n    if (input[0]",
    ],
    ["maxBytes is ignored", "if (input.length > maxBytes) return tooLong(maxBytes);\n    if (input[0]", "if (input[0]"],
    ["a negative maxBytes is accepted", "|| maxBytes < 0", ""],
    [
      "an array counts as an object",
      '|| value === null || Array.isArray(value)) {\n    return new Failure("not_an_object"',
      '|| value === null) {\n    return new Failure("not_an_object"',
    ],
    [
      "a null body_base64 counts as present",
      'named["body_base64"] ?? null',
      '(named["body_base64"] === undefined ? null : (named["body_base64"] ?? ""))',
    ],
    [
      "a null claim counts as present",
      'named["claim"] ?? null',
      '(named["claim"] === undefined ? null : (named["claim"] ?? ""))',
    ],
    ["a claim beside a body is ignored", "if (base64 !== null && claim !== null) {", "if (false as boolean) {"],
    [
      "only two strings are ambiguous",
      "if (base64 !== null && claim !== null) {",
      'if (typeof base64 === "string" && typeof claim === "string") {',
    ],
    [
      "a missing body is an empty one",
      'if (base64 === null) return new Failure("missing_body", null, "neither body_base64 nor claim is there");',
      'base64 ??= "";',
    ],
    [
      "a claim is not parsed",
      'typeof claim !== "string" || tryParseClaimRef(claim) === null',
      'typeof claim !== "string"',
    ],
    [
      "a body of another type is missing",
      'const bytes = typeof base64 === "string" ?',
      'if (typeof base64 !== "string") return new Failure("missing_body", null, "");\n  const bytes = typeof base64 === "string" ?',
    ],
    [
      "the body is checked before the fields",
      "const fields = readFields(named);\n  if (fields instanceof Failure) return fields;",
      'if ((named["body_base64"] ?? named["claim"] ?? null) === null) return new Failure("missing_body", null, "");\n  const fields = readFields(named);\n  if (fields instanceof Failure) return fields;',
    ],
    [
      "both forms are looked for before the fields",
      "const fields = readFields(named);\n  if (fields instanceof Failure) return fields;",
      'if (named["body_base64"] && named["claim"]) return new Failure("ambiguous_body", null, "");\n  const fields = readFields(named);\n  if (fields instanceof Failure) return fields;',
    ],
    [
      "a byte order mark is skipped",
      "return utf8ToText(unshared(input)) ??",
      'return utf8ToText(unshared(input))?.replace(/^\\ufeff/, "") ??',
    ],
  ]),
  ...mutantsOf("message/src/strict-json.ts", [
    ["65 levels of nesting", "const MAX_DEPTH = 64;", "const MAX_DEPTH = 65;"],
    ["63 levels of nesting", "const MAX_DEPTH = 64;", "const MAX_DEPTH = 63;"],
    ["levels are counted for ever", "depth--;", ""],
    ["arrays are no levels", "case 0x5b: // [\n", ""],
    [
      "brackets in strings are levels",
      "i = endOfString(text, i);\n        if (i === -1)",
      "if (endOfString(text, i) === -1)",
    ],
    [
      "duplicate names are accepted",
      "if (countMembers(value, isPrototypePolluted()) !== members)",
      "if (false as boolean)",
    ],
    ["lone surrogates are accepted", "&& !hasOnlyWellFormedStrings(value)) {", "&& (false as boolean)) {"],
    ["lone surrogates are looked for in lower case", "/\\\\u[dD][89a-fA-F]/", "/\\\\u[d][89a-f]/"],
    ["lone low surrogates are accepted", "/\\\\u[dD][89a-fA-F]/", "/\\\\u[dD][89abAB]/"],
    [
      "lone surrogates in names are accepted",
      "name.isWellFormed() && hasOnlyWellFormedStrings(item)",
      "hasOnlyWellFormedStrings(item)",
    ],
    ["lone surrogates in arrays are accepted", "return value.every(hasOnlyWellFormedStrings);", "return true;"],
    [
      "every escape of a surrogate is refused",
      "SURROGATE_ESCAPE.test(text) && !hasOnlyWellFormedStrings(value)",
      "SURROGATE_ESCAPE.test(text)",
    ],
  ]),
  ...mutantsOf("message/src/version.ts", [
    ["version 0 is accepted", "MIN_SUPPORTED_VERSION = 1", "MIN_SUPPORTED_VERSION = 0"],
    ["version 3 is accepted", "MAX_SUPPORTED_VERSION = 2", "MAX_SUPPORTED_VERSION = 3"],
    ["version 2 is refused", "MAX_SUPPORTED_VERSION = 2", "MAX_SUPPORTED_VERSION = 1"],
    ["version 2 is written", "MESSAGE_VERSION = 1", "MESSAGE_VERSION = 2"],
  ]),
  ...mutantsOf("message/src/fields.ts", [
    ["integers beyond 2^53 - 1", "return Number.isSafeInteger(value);", "return Number.isInteger(value);"],
    [
      "fractions are integers",
      "return Number.isSafeInteger(value);",
      'return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;',
    ],
    ["an empty id", '|| id === "") return invalidField', ") return invalidField"],
    [
      "an empty source_id is refused",
      'if (typeof source_id !== "string")',
      'if (typeof source_id !== "string" || source_id === "")',
    ],
    [
      "a negative received_at is refused",
      "if (!isInteger(received_at))",
      "if (!isInteger(received_at) || received_at < 0)",
    ],
    ["a negative size", "if (!isInteger(size) || size < 0)", "if (!isInteger(size))"],
    ["-0 stays -0", "received_at + 0, // -0 becomes 0", "Object.is(received_at, -0) ? -1 : received_at,"],
    [
      "a number is a nullable text",
      'return typeof value === "string" || value === null;',
      'return typeof value === "string" || typeof value === "number" || value === null;',
    ],
    [
      "size is checked before received_at",
      "if (!isInteger(received_at)) return",
      'if (!isInteger(size)) return invalidField("size", "");\n  if (!isInteger(received_at)) return',
    ],
    [
      "source_id is checked before id",
      'if (typeof id !== "string" || id',
      'if (typeof source_id !== "string") return invalidField("source_id", "");\n  if (typeof id !== "string" || id',
    ],
    [
      "content_type is checked before tenant_id",
      'if (!isNullableText(tenant_id)) return notNullableText("tenant_id");\n  if (!isNullableText(content_type)) return notNullableText("content_type");',
      'if (!isNullableText(content_type)) return notNullableText("content_type");\n  if (!isNullableText(tenant_id)) return notNullableText("tenant_id");',
    ],
    ["ordering_key is not checked", 'if (!isNullableText(ordering_key)) return notNullableText("ordering_key");', ""],
    [
      "headers are checked before verification",
      'const verification = readVerification(value["verification"]);',
      'if (readHeaders(value["headers"]) === undefined) return invalidField("headers", "");\n  const verification = readVerification(value["verification"]);',
    ],
    [
      "a null sha256 is accepted",
      "if (sha256 !== undefined && !isSha256(sha256))",
      "if (sha256 !== undefined && sha256 !== null && !isSha256(sha256))",
    ],
    ["an uppercase sha256", "NO_HEX_DIGIT = /[^0-9a-f]/;", "NO_HEX_DIGIT = /[^0-9a-f]/i;"],
    [
      "a sha256 with a line feed after it",
      "value.length === 64 && !NO_HEX_DIGIT.test(value)",
      "value.trimEnd().length === 64 && !NO_HEX_DIGIT.test(value.trimEnd())",
    ],
    ["a sha256 of 63 digits", "value.length === 64 &&", "(value.length === 63 || value.length === 64) &&"],
    ["a sha256 of 65 digits", "value.length === 64 &&", "value.length >= 64 &&"],
    [
      "verification of any status",
      '(status !== "ok" && status !== "failed" && status !== "skipped")',
      'typeof status !== "string"',
    ],
    [
      "verification without flagged",
      '|| typeof flagged !== "boolean"',
      '|| (flagged !== undefined && typeof flagged !== "boolean")',
    ],
    [
      "headers may be null",
      "if (value === undefined) return new Dictionary();",
      "if (value === undefined || value === null) return new Dictionary();",
    ],
    [
      "headers may be an array",
      'if (Object.prototype.toString.call(value) !== "[object Object]") return undefined;',
      'if (typeof value !== "object" || value === null) return undefined;',
    ],
    [
      "header values may be numbers",
      'if (typeof headers[name] !== "string") return undefined;',
      'if (!["string", "number"].includes(typeof headers[name])) return undefined;',
    ],
    [
      "headers are an object with a prototype",
      "Object.assign(new Dictionary(), value)",
      "Object.assign({} as Record<string, string>, value)",
    ],
    [
      "header names are lowercased",
      "Object.assign(new Dictionary(), value)",
      "Object.assign(new Dictionary(), JSON.parse(JSON.stringify(value).toLowerCase()))",
    ],
  ]),
  ...mutantsOf("message/src/body.ts", [
    [
      "a claim without a digest",
      "if (fields.sha256 === null) return invalidField",
      "if (false as boolean) return invalidField",
    ],
    [
      "a claim of another tenant",
      "if (fields.tenant_id !== null && fields.tenant_id",
      "if (false as boolean && fields.tenant_id",
    ],
    ["a claim needs the message's tenant", "if (fields.tenant_id !== null && fields.tenant_id", "if (fields.tenant_id"],
    ["size is not compared", "if (bytes.length !== fields.size) {", "if (false as boolean) {"],
    ["size may be larger than the body", "if (bytes.length !== fields.size) {", "if (bytes.length > fields.size) {"],
    [
      "the digest is not compared",
      "if (fields.sha256 !== null && sha256Hex(bytes) !== fields.sha256) {",
      "if (false as boolean) {",
    ],
    ["an inline message needs a digest", "if (fields.sha256 !== null && sha256Hex(bytes)", "if (sha256Hex(bytes)"],
    [
      "the digest is compared before the size",
      "if (bytes.length !== fields.size) {",
      'if (fields.sha256 !== null && sha256Hex(bytes) !== fields.sha256) return new Failure("integrity", null, "");\n  if (bytes.length !== fields.size) {',
    ],
  ]),
  ...mutantsOf("message/src/base64.ts", [
    [
      "base64 without padding",
      "if (text.length % 4 !== 0) return null;",
      'text = text.padEnd(Math.ceil(text.length / 4) * 4, "=");',
    ],
    ["base64 of the URL alphabet", 'text.includes("-") || text.includes("_") || ', ""],
    ["base64 of characters that look like it in their low byte", " || utf8Length(text) !== text.length", ""],
    ["base64 with stray bits after one byte", "padding === 2 ? 0b1111", "padding === 2 ? 0"],
    ["base64 with stray bits after two bytes", "padding === 1 ? 0b11", "padding === 1 ? 0"],
  ]),
];
