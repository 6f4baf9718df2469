import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import {
  formatTable,
  loadSuite,
  markdownMatrix,
  runConformance,
  toJson,
  toJUnit,
  updateMarkdownMatrix,
} from "../src/index.js";
import { deliveryIdCase, deliveryIdRunner, temporarySuite } from "./temporary-suite.js";

const casesOf = (): Record<string, unknown> => ({
  "message/pinned/keys.json": [
    deliveryIdCase("keys.plain"),
    deliveryIdCase("keys.markup", { input: { id: '<&">' }, expect: { ok: { delivery_id: '<&">' } } }),
  ],
});

async function report(): ReturnType<typeof runConformance> {
  const suite = loadSuite({ casesDir: temporarySuite(casesOf()) });
  const missing = { ...deliveryIdRunner("right"), name: "missing", run: ["no-such-command-here"] as const };
  return runConformance(suite, [deliveryIdRunner("right"), deliveryIdRunner("wrong"), missing]);
}

/** A suite of two operations, of which the runner has one. */
function withKeys(): ReturnType<typeof loadSuite> {
  const input = { message: { id: "i", source_id: "s", tenant_id: "t", dedupe_key: "d", replay_id: "r" } };
  const changes = { operation: "idempotency_key", input, expect: { ok: { key: "t:s:d" } } };
  const keys = [1, 2, 3].map((n) => deliveryIdCase(`key.${n}`, changes));
  return loadSuite({ casesDir: temporarySuite({ ...casesOf(), "message/pinned/more-keys.json": keys }) });
}

describe("reports", () => {
  it("as a table: version, digest, counts, each failure with rule, input, expected and got", async () => {
    const result = await report();
    const text = formatTable(result);
    expect(text).toContain(`suite 9.8.7, 2 cases, digest ${result.suite.digest}`);
    expect(text).toMatch(/^right +2 \/ 0 \/ 2 +2 \/ 0 \/ 2 +passed$/m);
    expect(text).toMatch(/^wrong +0 \/ 2 \/ 2 +0 \/ 2 \/ 2 +failed$/m);
    expect(text).toMatch(/^missing +– +– +unavailable$/m);
    expect(text).toContain("wrong: keys.plain (rule 1.4-1, delivery_id): mismatch");
    expect(text).toContain('input     {"id":"evt-keys.plain"}');
    expect(text).toContain('expected  {"ok":{"delivery_id":"evt-keys.plain"}}');
    expect(text).toContain('got       {"ok":{"delivery_id":"evt-keys.plain#"}}');
    expect(text).toContain("missing is unavailable: cannot start `no-such-command-here`");
  });

  it("as a table: what is not supported as a count for each operation, before the other failures", async () => {
    const text = formatTable(await runConformance(withKeys(), [deliveryIdRunner("wrong")]));
    expect(text).toContain(
      "wrong: 5 of 5 cases failed: 3 unsupported, 2 otherwise\n  idempotency_key: 3 unsupported\n",
    );
    expect(text).toContain("wrong: keys.plain (rule");
    expect(text).not.toContain("key.1");
  });

  it("of the operations that were asked for", async () => {
    const result = await runConformance(withKeys(), [deliveryIdRunner("right")], { operations: ["delivery_id"] });
    expect(result).toMatchObject({ outcome: "passed", implementations: [{ suites: [{ total: 2 }] }] });
    const unknown = runConformance(withKeys(), [deliveryIdRunner("right")], { operations: ["none"] });
    await expect(unknown).rejects.toMatchObject({
      code: "suite_invalid",
      message: expect.stringMatching(/no operation none/),
    });
  });

  it("as JSON: the report itself", async () => {
    const result = await report();
    expect(JSON.parse(toJson(result))).toEqual(result);
    expect(result.outcome).toBe("failed");
  });

  it("as JUnit: every case by its id, values escaped, faults and unavailability apart", async () => {
    const xml = toJUnit(await report());
    expect(xml.match(/<testcase /g)).toHaveLength(2 + 2 + 3);
    expect(xml).toContain('<testsuite name="wrong.message" tests="2" failures="2" errors="0">');
    expect(xml).toContain('<testcase classname="right.message" name="keys.markup"/>');
    expect(xml).toContain("&lt;&amp;\\&quot;&gt;");
    expect(xml).toContain('<error type="unavailable"');
    expect(xml).toContain('<property name="suite.version" value="9.8.7"/>');
    const attributesAndText = xml.replace(/<\/?[a-z]+( [a-z]+="[^"<>]*")*\/?>|<\?xml[^>]*\?>/g, "");
    expect(attributesAndText).not.toMatch(/[<>]/);
  });

  it("as Markdown, between markers", async () => {
    const result = await report();
    const matrix = markdownMatrix(result);
    expect(matrix.split("\n").slice(0, 3)).toEqual([
      "| implementation | message | total | result |",
      "| --- | --- | --- | --- |",
      "| right | 2 / 0 / 2 | 2 / 0 / 2 | passed |",
    ]);
    const readme = "# A\n<!-- conformance:begin -->\nold\n<!-- conformance:end -->\nrest\n";
    const updated = updateMarkdownMatrix(readme, result);
    expect(updated).toBe(`# A\n<!-- conformance:begin -->\n${matrix}\n<!-- conformance:end -->\nrest\n`);
    expect(updateMarkdownMatrix(updated, result)).toBe(updated);
    expect(() => updateMarkdownMatrix("# A", result)).toThrow(expect.objectContaining({ code: "suite_invalid" }));
  });
});

it("the schema of a case is a valid JSON Schema 2020-12", async () => {
  const { default: schema } = await import("../../../schemas/conformance-case.schema.json", { with: { type: "json" } });
  expect(new Ajv2020().validateSchema(schema)).toBe(true);
});
