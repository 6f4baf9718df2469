import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { BIN, ended, sinkwire, start, temporaryFolder } from "./command.js";
import { message } from "./messages.js";

const LINE = `${message()}\n`;
const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

describe("a live stream", () => {
  test.for([["--ndjson", "--json"], ["--json"]])(
    "decode %j shows each message while the next is waited for",
    async (flags) => {
      const child = start(["decode", ...flags]);
      child.stdin.write(LINE + LINE);
      const [first] = await once(child.stdout, "data");
      expect(String(first)).toBe(LINE + LINE);
      child.stdin.write(LINE);
      const [second] = await once(child.stdout, "data");
      expect(String(second)).toBe(LINE);
      child.stdin.end();
      expect(await once(child, "close")).toEqual([0, null]);
    },
  );

  test.for(SIGNALS)("%s loses no message that was read", async ([signal, expected]) => {
    const child = start(["decode", "--ndjson", "--json"]);
    const end = ended(child);
    child.stdin.write(LINE + LINE);
    await once(child.stdout, "data");
    child.kill(signal);
    const { code, stdout } = await end;
    expect([code, stdout.toString()]).toEqual([expected, LINE + LINE]);
  });

  test("ends when nobody reads the complaints", async () => {
    const child = start(["decode", "--ndjson"]);
    child.stdin.on("error", () => {}); // it ends without having read all
    const closed = once(child, "close");
    child.stdout.resume();
    const write = (): void => {
      while (child.stdin.writable && child.stdin.write("no message\n".repeat(1_000)));
    };
    child.stdin.on("drain", write);
    write();
    await once(child.stderr, "data");
    child.stderr.destroy();
    expect(await closed).toEqual([1, null]);
  });
});

describe("a gateway with an unfinished request", () => {
  async function withUnfinished() {
    const gateway = start(["gateway", temporaryFolder(), "--json"]);
    const [line] = await once(gateway.stdout, "data");
    const { port } = new URL(JSON.parse(String(line)).url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {}); // the gateway may cut it
    await once(socket, "connect");
    // Answered on the same connection before: the gateway has seen it.
    socket.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /hea");
    await once(socket, "data");
    return { gateway, port: Number(port) };
  }

  function listensNoMore(port: number): Promise<boolean> {
    return new Promise((done) => {
      const probe = connect(port, "127.0.0.1");
      probe.once("connect", () => done(false)).once("error", () => done(true));
      probe.unref();
    });
  }

  test.for(SIGNALS)("stops listening and ends after a grace on %s, with 0", async ([signal]) => {
    const { gateway, port } = await withUnfinished();
    const end = ended(gateway);
    gateway.kill(signal);
    await expect.poll(() => listensNoMore(port), { timeout: 20_000 }).toBe(true);
    expect(await end).toMatchObject({ code: 0, stderr: "" });
  });

  test("ends at once on a second signal", async () => {
    const { gateway, port } = await withUnfinished();
    const end = ended(gateway);
    gateway.kill("SIGINT");
    await expect.poll(() => listensNoMore(port), { timeout: 20_000 }).toBe(true);
    gateway.kill("SIGTERM");
    expect(await end).toMatchObject({ code: null, signal: "SIGTERM" });
  });
});

describe.runIf(process.platform === "linux")("what the shell connects", () => {
  const shell = (script: string) => {
    const child = spawn("sh", ["-c", script], {
      cwd: temporaryFolder(),
      env: { ...process.env, NODE: process.execPath, BIN, LINE },
    });
    child.stdin.end();
    return ended(child);
  };
  const RUN = '"$NODE" "$BIN"';

  test.for([
    ["a full disk", `printf %s "$LINE" | ${RUN} decode --json > /dev/full`, 3, /standard output cannot be written/],
    ["an output that is for reading", `printf %s "$LINE" | ${RUN} decode 1< /dev/null`, 3, /output cannot be written/],
    ["a folder as input", `${RUN} encode - --id a --source b < .`, 2, /standard input is a folder/],
    ["a closed input", `${RUN} encode - --id a --source b <&-`, 2, /standard input is closed/],
    ["an input that is for writing", `${RUN} decode 0> file`, 2, /standard input cannot be read/],
    ["a file as a folder", `touch file; ${RUN} decode file/x`, 2, /file\/x/],
    ["a suite as a file", `touch file; ${RUN} conformance lint --cases file/x`, 2, /file\/x/],
    ["a report nowhere", `${RUN} conformance run --suite message --report no/x -- false`, 3, /no\/x cannot be written/],
  ] as const)("%s is told in a sentence", async ([, script, code, words]) => {
    const result = await shell(script);
    expect(result).toMatchObject({ code, stdout: Buffer.alloc(0) });
    expect(result.stderr).toMatch(words);
    expect(result.stderr).not.toMatch(/fault of sinkwire|\n\s+at /);
  });
});

test.runIf(process.platform === "linux")("/dev/null is an empty input", async () => {
  const child = spawn("sh", ["-c", '"$NODE" "$BIN" encode - --id a --source b < /dev/null'], {
    env: { ...process.env, NODE: process.execPath, BIN },
  });
  const { code, stdout } = await ended(child);
  expect(code).toBe(0);
  expect(JSON.parse(stdout.toString())).toMatchObject({ size: 0, body_base64: "" });
});

describe("wrong usage", () => {
  const ID = ["--id", "a", "--source", "b"];

  test.for([
    ["an unknown flag", ["decode", "--json", "--nope"]],
    ["a missing option", ["encode", "-", "--source", "b", "--json"]],
    ["a bad header", ["encode", "-", ...ID, "--header", "nope", "--json"]],
    ["a time that is none", ["encode", "-", ...ID, "--received-at", "x", "--json"]],
    ["a day that is none", ["encode", "-", ...ID, "--received-at", "2026-02-30T00:00:00Z", "--json"]],
    ["an hour that is none", ["encode", "-", ...ID, "--received-at", "2026-02-28T24:00:00Z", "--json"]],
    ["a missing argument", ["conformance", "show", "--json"]],
    ["no verb", ["conformance", "--json"]],
    ["an option given twice", ["encode", "-", ...ID, "--id", "c", "--json"]],
    ["a flag given twice", ["decode", "--json", "--json"]],
    ["a store and a gateway", ["decode", "--json", "--store", "x", "--gateway", "http://127.0.0.1:1"]],
    ["--only beside a command", ["conformance", "run", "--json", "--only", "typescript", "--", "true"]],
  ] as const)("%s is one JSON object with --json, exit code 2", async ([, args]) => {
    const { code, stdout, stderr } = await sinkwire(args);
    expect(code).toBe(2);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      error: { code: "usage", message: expect.stringMatching(/./) },
    });
    expect(stderr).not.toBe("");
  });

  test("a repeatable option may be repeated, and the last day of February is a day", async () => {
    const time = ["--received-at", "2024-02-29T00:00:00Z"];
    const headers = ["--header", "a: 1", "--header", "b: 2"];
    const { code, stdout } = await sinkwire(["encode", "-", ...ID, ...time, ...headers], "x");
    expect(code).toBe(0);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      received_at: 1_709_164_800_000,
      headers: { a: "1", b: "2" },
    });
  });

  test("vectors check outside the repository says where to run it", async () => {
    const { code, stderr } = await sinkwire(["vectors", "check", "--cases", "nodir"], "", { cwd: temporaryFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain("run this in the repository");
  });
});
