import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkVectors, generateVectors } from "../src/index.js";
import { deliveryIdCase, deliveryIdRunner, temporarySuite } from "./temporary-suite.js";

const FILE = "message/generated/keys.json";

function draft(id: string, input: Record<string, unknown>): Record<string, unknown> {
  const { expect: _expect, ...rest } = deliveryIdCase(id, { input });
  return rest;
}

describe("generated vectors", () => {
  it("get their answers from the implementation, in one format, and are then without drift", async () => {
    const casesDir = temporarySuite({
      [FILE]: [draft("keys.plain", { id: "x" }), draft("keys.replay", { id: "x", replay_id: "y" })],
    });
    const implementation = deliveryIdRunner("right");
    const changes = await generateVectors({ casesDir, implementation });
    expect(changes).toEqual([
      { file: FILE, id: "keys.plain", detail: "new" },
      { file: FILE, id: "keys.replay", detail: "new" },
    ]);
    const text = readFileSync(join(casesDir, FILE), "utf8");
    const cases = JSON.parse(text);
    expect(cases[1].expect).toEqual({ ok: { delivery_id: "x:replay:y" } });
    expect(text).toBe(`${JSON.stringify(cases, null, 2)}\n`);
    expect(await checkVectors({ casesDir, implementation })).toEqual([]);
  });

  it("drift when the implementation changes, and a check writes nothing", async () => {
    const casesDir = temporarySuite({ [FILE]: [deliveryIdCase("keys.plain")] });
    const before = readFileSync(join(casesDir, FILE), "utf8");
    const changes = await checkVectors({ casesDir, implementation: deliveryIdRunner("wrong") });
    expect(changes).toEqual([{ file: FILE, id: "keys.plain", detail: expect.stringContaining("ok.delivery_id") }]);
    expect(readFileSync(join(casesDir, FILE), "utf8")).toBe(before);
  });

  it("drift when only the format differs", async () => {
    const casesDir = temporarySuite({ [FILE]: [deliveryIdCase("keys.plain")] });
    const changes = await checkVectors({ casesDir, implementation: deliveryIdRunner("right") });
    expect(changes).toEqual([{ file: FILE, id: null, detail: expect.stringContaining("format") }]);
  });

  it("leave pinned and retired cases alone", async () => {
    const retired = deliveryIdCase("keys.retired", {
      retired: "asks for what is not the rule",
      expect: { ok: { delivery_id: "z" } },
    });
    const casesDir = temporarySuite({ [FILE]: [retired], "message/pinned/keys.json": [deliveryIdCase("keys.pinned")] });
    const pinned = readFileSync(join(casesDir, "message/pinned/keys.json"), "utf8");
    await generateVectors({ casesDir, implementation: deliveryIdRunner("wrong") });
    expect(readFileSync(join(casesDir, "message/pinned/keys.json"), "utf8")).toBe(pinned);
    expect(JSON.parse(readFileSync(join(casesDir, FILE), "utf8"))).toEqual([retired]);
  });

  it("are not written from an error that is not on the list", async () => {
    const casesDir = temporarySuite({ [FILE]: [draft("keys.plain", { id: "x" })] });
    const before = readFileSync(join(casesDir, FILE), "utf8");
    await expect(generateVectors({ casesDir, implementation: deliveryIdRunner("failing") })).rejects.toMatchObject({
      code: "generate_failed",
      message: expect.stringContaining("internal"),
    });
    expect(readFileSync(join(casesDir, FILE), "utf8")).toBe(before);
  });
});
