import { readdirSync, readFileSync } from "node:fs";
import { type DecodeErrorCode, encodeMessage } from "@sinkwire/message";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { context, hook } from "../../message/test/arbitraries.js";
import { loadSchema, type SchemaName } from "../src/index.js";
import { SCHEMA_FILES } from "../src/schema-files.js";

const root = new URL("../../../", import.meta.url);
const schemaFiles = readdirSync(new URL("schemas/", root)).filter((name) => name.endsWith(".schema.json"));
const readSchema = (file: string): object =>
  JSON.parse(readFileSync(new URL(`schemas/${file}`, root), "utf8")) as object;
const compile = (file: string): ValidateFunction =>
  new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }).compile(
    readSchema(file),
  );

interface Case {
  readonly id: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: { readonly ok?: Readonly<Record<string, unknown>>; readonly error?: { readonly code: string } };
}

const cases = readdirSync(new URL("conformance/cases/", root), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => JSON.parse(readFileSync(new URL(`conformance/cases/${name}`, root), "utf8")) as Case[]);
const ofOperation = (...names: readonly string[]): readonly Case[] =>
  cases.filter(({ operation }) => names.includes(operation));

test.for(schemaFiles)("%s is a schema of 2020-12", (file) => {
  expect(() => compile(file)).not.toThrow();
  expect(readSchema(file)).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
});

test.for(Object.entries(SCHEMA_FILES))("the package carries %s, which refers to nothing", ([name, file]) => {
  expect(loadSchema(name as SchemaName)).toEqual(readSchema(file));
  expect(JSON.stringify(readSchema(file)).includes('"$ref"')).toBe(false);
});

test("the list of error codes is one", () => {
  const validate = compile("error-codes.schema.json");
  const list = readSchema("error-codes.json") as { codes: readonly object[] };
  expect(validate(list), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ codes: [...list.codes, { ...list.codes[0], retryable: "no" }] })).toBe(false);
  expect(validate({ codes: [{ ...list.codes[0], code: "Not a code" }] })).toBe(false);
});

describe("the schema of the message", () => {
  const validate = compile("sink-message.v1.schema.json");

  /** Codes whose every case is one of structure: wrong types, fields that are missing, both bodies, bad digests and refs. */
  const STRUCTURAL: readonly string[] = [
    "not_an_object",
    "unsupported_version",
    "invalid_field",
    "ambiguous_body",
    "missing_body",
  ] satisfies readonly DecodeErrorCode[];
  /** What no schema can say, and why. */
  const NOT_STRUCTURAL: Readonly<Record<string, string>> = {
    invalid_json: "bytes, duplicate names, lone surrogates, nesting",
    invalid_body_base64: "canonical form of text in the alphabet",
    size_mismatch: "the body's length",
    integrity: "the body's digest",
    tenant_mismatch: "the tenant of the claim",
    invalid_hook: "an option of the decoder",
  } satisfies Partial<Record<DecodeErrorCode | "invalid_hook", string>>;

  const bytesOf = (one: Case): Buffer => Buffer.from(one.input["bytes_base64"] as string, "base64");
  const parse = (one: Case): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(one)));
  const parses = (one: Case): boolean => {
    try {
      parse(one);
      return true;
    } catch {
      return false;
    }
  };
  /** Whether the base64 is one of structure: not text, or a character outside of the alphabet. */
  const isForeign = (one: Case): boolean => {
    const body = (parse(one) as { body_base64: unknown }).body_base64;
    return typeof body !== "string" || /[^A-Za-z0-9+/=]/.test(body);
  };

  const decoded = ofOperation("decode_message", "serialize_message");
  const accepted = decoded.filter((one) => one.expect.ok !== undefined);
  const codeOf = (one: Case): string => one.expect.error?.code ?? "";
  const structural = decoded.filter(
    (one) => STRUCTURAL.includes(codeOf(one)) || (codeOf(one) === "invalid_body_base64" && isForeign(one)),
  );
  const rest = decoded.filter((one) => !accepted.includes(one) && !structural.includes(one));

  test.for(accepted)("accepts $id", (one) => {
    expect(validate(parse(one)), JSON.stringify(validate.errors)).toBe(true);
  });

  test.for(structural)("refuses $id", (one) => {
    expect(validate(parse(one))).toBe(false);
  });

  test("no case is left out, and each that is not structural has a reason", () => {
    expect(accepted.length + structural.length + rest.length).toBe(decoded.length);
    expect(rest.filter((one) => NOT_STRUCTURAL[codeOf(one)] === undefined).map(({ id }) => id)).toEqual([]);
  });

  test.for(Object.entries(NOT_STRUCTURAL))("cannot say %s: it lets some through that a decoder refuses", ([code]) => {
    const through = rest.filter((one) => codeOf(one) === code && parses(one) && validate(parse(one)));
    expect(through.length).toBeGreaterThan(0);
  });

  test("accepts whatever the encoder writes inline", () => {
    fc.assert(
      fc.property(hook, context, (given, publish) => {
        expect(validate(JSON.parse(Buffer.from(encodeMessage(given, publish).bytes).toString()))).toBe(true);
      }),
    );
  });

  test("takes over the pattern of a claim reference", () => {
    const message = readSchema("sink-message.v1.schema.json") as {
      oneOf: readonly { properties: Readonly<Record<string, object>> }[];
    };
    const { pattern, not } = readSchema("claim-ref.v1.schema.json") as { pattern: string; not: object };
    expect(message.oneOf[1]?.properties["claim"]).toMatchObject({ type: "string", pattern, not });
  });

  afterAll(() => {
    console.log(`note: the message's schema accepts ${accepted.length} cases and refuses ${structural.length}`);
    for (const [code, why] of Object.entries(NOT_STRUCTURAL)) {
      const count = rest.filter((one) => codeOf(one) === code).length;
      console.log(`note: ${count} cases of ${code} are not structural: ${why}`);
    }
  });
});

describe("the schema of a claim reference", () => {
  const validate = compile("claim-ref.v1.schema.json");
  const refOf = ({ input: { ref } }: Case): unknown =>
    typeof ref === "object" && ref !== null && "$utf16" in ref ? String.fromCharCode(...(ref.$utf16 as number[])) : ref;

  test.for(ofOperation("parse_claim_ref"))("agrees with the parser on $id", (one) => {
    expect(validate(refOf(one))).toBe(one.expect.ok !== undefined);
  });
});

describe("the schema of metadata", () => {
  const validate = compile("metadata.v1.schema.json");
  const pairsOf = ({ expect: { ok } }: Case): unknown => ok?.["pairs"] ?? ok?.["headers"] ?? ok?.["attributes"];
  const written = ofOperation(
    ...["headers_set", "attributes_set", "kafka_record", "nats_message", "amqp_publish", "sqs_entry", "pubsub_message"],
  ).filter((one) => pairsOf(one) !== undefined);

  test.for(written)("accepts what is written in $id", (one) => {
    const metadata = Object.fromEntries(pairsOf(one) as [string, string][]);
    expect(validate(metadata), JSON.stringify(validate.errors)).toBe(true);
  });

  test("accepts a set without a tenant, and one whose tenant is empty", () => {
    const metadata = { ankusa_id: "evt_1", ankusa_message_version: "1" };
    expect(validate(metadata)).toBe(true);
    expect(validate({ ...metadata, ankusa_tenant_id: "" })).toBe(true);
  });

  test.for([
    {},
    [],
    { ankusa_message_version: 1 },
    { ankusa_message_version: "1", ankusa_id: "" },
    { ankusa_message_version: "1", ankusa_tenant_id: null },
    { ankusa_message_version: "1", content_type: "text/plain" },
    { ankusa_message_version: "1", foreign: 1 },
  ])("refuses %j", (metadata) => {
    expect(validate(metadata)).toBe(false);
  });
});

describe("8 MiB of text", () => {
  const length = 8 * 1024 * 1024;
  const claim = "urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002";
  const texts = ["A", "=", "a_", "a.", "0", "0.", "\n", "urn:ankusa:claim:v2:"].map((part) =>
    part.repeat(Math.ceil(length / part.length)),
  );

  test("overflows a pattern that repeats a group, so the test below can fail", () => {
    expect(() => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==)?$/u.test(`${texts[0]}-`)).toThrow(RangeError);
  });

  test.for(schemaFiles)("overflows no pattern of %s", (file) => {
    const patterns = [...JSON.stringify(readSchema(file)).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => new RegExp(JSON.parse(text ?? '""') as string, "u"),
    );
    for (const pattern of patterns) {
      for (const text of texts) expect(() => pattern.test(text)).not.toThrow();
    }
  });

  test("is a body, or no field that it cannot be", () => {
    const validate = compile("sink-message.v1.schema.json");
    const [body = ""] = texts;
    const message = { v: 1, id: "evt_1", source_id: body, received_at: 0, size: 0, body_base64: body };
    expect(validate(message)).toBe(true);
    expect(validate({ ...message, body_base64: `${body}-` })).toBe(false);
    expect(validate({ ...message, sha256: "0".repeat(length) })).toBe(false);
    const { body_base64: _, ...rest } = { ...message, sha256: "0".repeat(64), claim };
    expect(validate(rest)).toBe(true);
    expect(validate({ ...rest, claim: claim + body })).toBe(false);
    expect(validate({ ...rest, claim: `${claim}\n` })).toBe(false);
  });
});
