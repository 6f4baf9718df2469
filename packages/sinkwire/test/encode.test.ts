import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeMessage, encodeMessage, type Hook } from "@sinkwire/message";
import { describe, expect, test } from "vitest";
import { ended, sinkwire, start, temporaryFolder } from "./command.js";
import { HOOK } from "./messages.js";

const ID = ["--id", "evt_1", "--source", "github", "--tenant", "acme"];
const REF = "urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002";

describe("encode", () => {
  test("writes the bytes that encodeMessage gives for the same hook", async () => {
    const { code, stdout, stderr } = await sinkwire(
      [
        ...["encode", "-", ...ID, "--received-at", "2025-01-21T22:53:20Z", "--content-type", "application/json"],
        ...[
          "--header",
          "X-GitHub-Event: issues",
          "--header",
          "Authorization: Bearer x",
          "--verification",
          "failed",
          "--flagged",
        ],
        ...["--dedupe-key", "d1", "--traceparent", "tp", "--tracestate", "ts", "--instance", "i", "--region", "r"],
        ...["--ordering-key", "o", "--replay-id", "rp", "--no-newline"],
      ],
      HOOK.body,
    );
    const hook: Hook = {
      ...HOOK,
      ...{ dedupe_key: "d1", traceparent: "tp", tracestate: "ts" },
      verification: { status: "failed", flagged: true },
    };
    const context = { instance: "i", region: "r", ordering_key: "o", replay_id: "rp" };
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.toString()).toBe(Buffer.from(encodeMessage(hook, context).bytes).toString());
  });

  test("takes the time of the call, forwards only what is named, ends with a newline", async () => {
    const before = Date.now();
    const { stdout } = await sinkwire(
      ["encode", "-", ...ID, "--header", "A: 1", "--header", "B: 2", "--forward", "b"],
      "x",
    );
    const { received_at, headers } = decodeMessage(stdout);
    expect(received_at).toBeGreaterThanOrEqual(before);
    expect(received_at).toBeLessThanOrEqual(Date.now());
    expect({ ...headers }).toEqual({ b: "2" });
    expect(stdout.at(-1)).toBe(0x0a);
  });

  test("a body over the inline limit needs a claim: exit code 1 without, a claim message with", async () => {
    const file = join(temporaryFolder(), "large");
    const body = Buffer.alloc(70_000, "x");
    writeFileSync(file, body);
    const without = await sinkwire(["encode", file, ...ID]);
    expect(without).toMatchObject({ code: 1, stdout: Buffer.alloc(0) });
    expect(without.stderr).toMatch(/claim_required.*\n {2}→ .*--store FOLDER\n$/);
    const nobody = await sinkwire(["encode", file, "--id", "evt_1", "--source", "github"]);
    expect(nobody.stderr).toMatch(/--store FOLDER and --tenant ID\n$/);
    const stored = await sinkwire(["encode", file, "--id", "evt_1", "--source", "github", "--store", "nowhere"]);
    expect(stored).toMatchObject({ code: 2, stderr: expect.stringMatching(/tenant_id.*\n {2}→ .*--tenant ID/) });
    const sha256 = createHash("sha256").update(body).digest("hex");
    const given = await sinkwire(["encode", file, ...ID, "--claim-ref", REF, "--claim-sha256", sha256]);
    expect(decodeMessage(given.stdout)).toMatchObject({ size: body.length, body: { form: "claim", ref: REF } });
    const foreign = await sinkwire([
      "encode",
      file,
      ...ID,
      "--claim-ref",
      REF,
      "--claim-sha256",
      "0".repeat(64),
      "--json",
    ]);
    expect(foreign.code).toBe(1);
    expect(JSON.parse(foreign.stdout.toString())).toMatchObject({
      error: { code: "claim_integrity", retryable: false },
    });
  });

  test("--store checks a body in; decode --body finds it there and behind the gateway", async () => {
    const store = temporaryFolder();
    const body = Buffer.alloc(70_000, "y");
    const { code, stdout: encoded } = await sinkwire(["encode", "-", ...ID, "--store", store], body);
    expect(code).toBe(0);
    expect((await sinkwire(["decode", "--body", "--store", store], encoded)).stdout.equals(body)).toBe(true);

    const gateway = start(["gateway", store, "--json"]);
    const end = ended(gateway);
    const { url } = JSON.parse(
      await new Promise<string>((done) => gateway.stdout.once("data", (line) => done(String(line)))),
    );
    const redeemed = await sinkwire(["decode", "--body", "--gateway", url], encoded);
    expect(redeemed.stdout.equals(body)).toBe(true);
    gateway.kill("SIGTERM");
    expect(await end).toMatchObject({ code: 0, stderr: "" });

    const gone = await sinkwire(["decode", "--body", "--gateway", url], encoded);
    expect(gone).toMatchObject({ code: 3, stdout: Buffer.alloc(0) });
    expect((await sinkwire(["decode", "--body"], encoded)).code).toBe(2);
    expect((await sinkwire(["decode", "--body", "--store", temporaryFolder()], encoded)).code).toBe(1);
  });

  test("--json tells form, size, drops and the message", async () => {
    const { stdout } = await sinkwire(["encode", "-", ...ID, "--json"], "x");
    expect(JSON.parse(stdout.toString())).toMatchObject({
      form: "inline",
      dropped: { count: 0, bytes: 0 },
      message: { id: "evt_1", size: 1 },
    });
  });

  test.for([
    ["no id", ["--source", "s"]],
    ["an empty id", ["--id", "", "--source", "s"]],
    ["a header without a colon", [...ID, "--header", "nope"]],
    ["a date without a zone", [...ID, "--received-at", "2025-01-21T22:53:20"]],
    ["a status of its own", [...ID, "--verification", "maybe"]],
    ["flagged without a status", [...ID, "--flagged"]],
    ["half a claim", [...ID, "--claim-ref", REF]],
    ["a claim and a store", [...ID, "--claim-ref", REF, "--claim-sha256", "0".repeat(64), "--store", "x"]],
  ] as const)("%s is exit code 2", async ([, flags]) => {
    expect(await sinkwire(["encode", "-", ...flags], "x")).toMatchObject({ code: 2, stdout: Buffer.alloc(0) });
  });
});
