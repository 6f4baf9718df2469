import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sinkwire, temporaryFolder } from "./command.js";
import { altered, HOOK, message } from "./messages.js";

describe("decode", () => {
  test("shows what a message says, from a file and from standard input", async () => {
    const file = join(temporaryFolder(), "message.json");
    writeFileSync(file, message());
    const [fromFile, fromInput] = await Promise.all([sinkwire(["decode", file]), sinkwire(["decode"], message())]);
    expect(fromFile).toMatchObject({ code: 0, stderr: "" });
    expect(fromInput.stdout).toEqual(fromFile.stdout);
    const text = fromFile.stdout.toString();
    for (const part of ["evt_1", "acme", "2025-01-21T22:53:20.000Z", "x-github-event", '{"action": "opened"}']) {
      expect(text).toContain(part);
    }
  });

  test("--json writes the message, which decodes to itself", async () => {
    const once = await sinkwire(["decode", "--json"], message());
    expect(once.stdout.toString()).toBe(`${message()}\n`);
    expect((await sinkwire(["decode", "--json"], once.stdout)).stdout).toEqual(once.stdout);
  });

  test("--body writes the body's bytes and nothing else", async () => {
    const body = Uint8Array.from({ length: 1000 }, (_, i) => i % 256);
    const { code, stdout, stderr } = await sinkwire(["decode", "--body"], message({ body }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(new Uint8Array(stdout)).toEqual(body);
  });

  test("never lets a peer's control characters reach the terminal", async () => {
    const { stdout } = await sinkwire(
      ["decode"],
      message({ id: "\u001b[2Jevt\u202e", body: Buffer.from("\u001b]0;title\u0007") }),
    );
    expect(stdout.toString()).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(stdout.toString()).toContain("\\u001b[2Jevt\\u202e");
  });

  test("a refused message is exit code 1, in words and as JSON", async () => {
    const bytes = altered({ size: 7 });
    const [words, json] = await Promise.all([sinkwire(["decode"], bytes), sinkwire(["decode", "--json"], bytes)]);
    expect(words).toMatchObject({ code: 1, stdout: Buffer.alloc(0) });
    expect(words.stderr).toContain("size_mismatch");
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout.toString())).toMatchObject({
      error: { code: "size_mismatch", field: null, retryable: false },
    });
  });

  test("recognises one message a line, and a pretty-printed message as one", async () => {
    const lines = Buffer.concat([message(), Buffer.from("\r\n\n"), message({ id: "evt_2" })]);
    const many = await sinkwire(["decode", "--json"], lines);
    expect(many.stdout.toString()).toBe(`${message()}\n${message({ id: "evt_2" })}\n`);
    const pretty = JSON.stringify(JSON.parse(message().toString()), null, 2);
    const one = await sinkwire(["decode", "--json"], `${pretty}\n`);
    expect(one.stdout.toString()).toBe(`${message()}\n`);
  });

  test("reports each refused line by its number and goes on", async () => {
    const input = `${message()}\n{"v": 1}\nno\n${message({ id: "evt_2" })}\n`;
    const json = await sinkwire(["decode", "--json"], input);
    expect(json.code).toBe(1);
    const [first, second, third, fourth] = json.stdout
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect([first.id, fourth.id]).toEqual(["evt_1", "evt_2"]);
    expect(second).toMatchObject({ line: 2, error: { code: "invalid_field", field: "id" } });
    expect(third).toMatchObject({ line: 3, error: { code: "invalid_json" } });
    const words = await sinkwire(["decode"], input);
    expect(words.stdout.toString().split("\n").filter(Boolean)).toHaveLength(2);
    expect(words.stderr).toMatch(/line 2: invalid_field.*\n.*line 3: invalid_json.*\n2 messages, 2 refused/);
  });

  test("refuses a line over --max-bytes and reads the next", async () => {
    const long = message({ body: Buffer.alloc(20_000, "x") });
    const { code, stdout } = await sinkwire(
      ["decode", "--ndjson", "--json", "--max-bytes", "10_000"],
      Buffer.concat([long, Buffer.from("\n"), message()]),
    );
    const [first, second] = stdout
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(first).toMatchObject({ line: 1, error: { code: "invalid_json" } });
    expect(second.id).toBe(HOOK.id);
  });

  test.for([
    ["an unknown option", ["decode", "--nope"]],
    ["a file that is not there", ["decode", "/nowhere/at/all"]],
    ["a folder", ["decode", "/"]],
    ["--body with --ndjson", ["decode", "--body", "--ndjson"]],
    ["a size that is none", ["decode", "--max-bytes", "-1"]],
    ["an unknown verb", ["encoed"]],
    ["no verb", []],
  ] as const)("%s is exit code 2, with nothing on standard output", async ([, args]) => {
    const { code, stdout, stderr } = await sinkwire(args);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("a usage error is JSON, too, when JSON was asked for", async () => {
    const { code, stdout } = await sinkwire(["decode", "--json", "/nowhere/at/all"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout.toString())).toMatchObject({ error: { code: "usage" } });
  });
});

describe("the command", () => {
  test("--version names its version and the suite's version and digest", async () => {
    const { code, stdout } = await sinkwire(["--version"]);
    expect(code).toBe(0);
    expect(stdout.toString()).toMatch(
      /^sinkwire \d+\.\d+\.\d+\nconformance suite \d+\.\d+\.\d+, digest [0-9a-f]{64}\n$/,
    );
  });

  test.for([
    "decode",
    "encode",
    "explain",
    "gateway",
    "conformance run",
    "conformance show",
    "conformance lint",
    "vectors check",
    "vectors generate",
  ])("%s has help with examples", async (verb) => {
    const { code, stdout } = await sinkwire([...verb.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(stdout.toString()).toContain(`$ sinkwire ${verb}`);
  });

  test("colours only where they are asked for, and never against NO_COLOR", async () => {
    const plain = await sinkwire(["explain"], "no");
    const coloured = await sinkwire(["explain"], "no", { env: { FORCE_COLOR: "1" } });
    const forbidden = await sinkwire(["explain"], "no", { env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
    expect(coloured.stdout.includes("\u001b[31m")).toBe(true);
    expect(plain.stdout.includes("\u001b")).toBe(false);
    expect(forbidden.stdout).toEqual(plain.stdout);
  });
});
