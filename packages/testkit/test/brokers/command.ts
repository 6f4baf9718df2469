import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaimCheck } from "@sinkwire/claim-check";
import { fileStore } from "@sinkwire/claim-check/node";
import { encodeMessage } from "@sinkwire/message";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Broker, type BrokerName, startBroker } from "../../src/brokers/index.js";
import { ROOT } from "../../src/checks/workspace.js";
import { plainHook } from "../../src/transport-suite/index.js";

const CLI = join(ROOT, "packages", "sinkwire", "dist", "cli.js");
/** From here the command finds the clients that the tests use. */
const CWD = join(ROOT, "packages", "testkit");

/** What a command said until it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Resolves when its standard error holds the text. */
  said(text: string): Promise<void>;
  /** Resolves when its standard output holds so many lines. */
  lines(count: number): Promise<void>;
}

/** Starts the built command. */
export function start(args: readonly string[]): Running {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: CWD });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  const hear = (): void => {
    for (const check of waiting) check();
  };
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
    hear();
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
    hear();
  });
  child.stdin.on("error", () => {});
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, stdout, stderr })));
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((done, fail) => {
      const check = (): void => {
        if (!holds()) return;
        waiting.delete(check);
        done();
      };
      waiting.add(check);
      check();
      void ended.then((end) => fail(new Error(`it ended: ${JSON.stringify(end)}`)));
    });
  return {
    child,
    ended,
    said: (text) => until(() => stderr.includes(text)),
    lines: (count) => until(() => stdout.split("\n").length > count),
  };
}

/** Runs the built command to its end. */
export function sinkwire(args: readonly string[], input: string | Uint8Array = ""): Promise<Ended> {
  const running = start(args);
  running.child.stdin.end(input);
  return running.ended;
}

/** A place on a server that messages go to. */
export interface CommandPlace {
  /** What the command is given, without a password. */
  readonly url: string;
  /** The same server, and a place that is not there. */
  readonly missing: string;
  take(count: number): Promise<readonly string[]>;
  /** Publishes anything, with the bare client. */
  write(body: string): Promise<unknown>;
  close(): Promise<void>;
}

/** How the command is tried on one transport. */
export interface CommandSubject {
  readonly broker: BrokerName;
  /** Makes a fresh place with a consumer's own queue at it; `take` takes so many messages as that consumer. */
  open(broker: Broker): Promise<CommandPlace>;
  /** What `doctor` says of the server. */
  readonly server: RegExp;
  readonly hasClock: boolean;
  /** Whether the transport can look back. */
  readonly hasPast: boolean;
  /** Whether messages can be looked at without being taken. */
  readonly canLook: boolean;
  /** Whether messages without a key come in the order of their publishes. */
  readonly isOrdered: boolean;
  /** Whether an address names the server's port; else its environment does. */
  readonly hasPort: boolean;
  /** Whether each publish is told an id. */
  readonly hasIds: boolean;
  /** Further tests, each in a place of its own. */
  more?(fresh: () => Promise<CommandPlace>): void;
}

/** A message as a line. */
export const lineOf = (id: string): string => `${Buffer.from(encodeMessage(plainHook(id)).bytes)}\n`;

/** What every transport does for `publish`, `tail` and `doctor`. */
export function describeCommand(subject: CommandSubject): void {
  describe(`the command and ${subject.broker}`, () => {
    let broker: Broker;
    let place: CommandPlace;
    beforeAll(async () => {
      broker = await startBroker(subject.broker, { own: true });
      place = await subject.open(broker);
    });
    afterAll(async () => {
      await place?.close();
      await broker?.stop();
    });

    /** Lines in the order in which they came, where the server keeps one. */
    const inOrder = (text: string): readonly string[] => {
      const lines = text.trimEnd().split("\n");
      return subject.isOrdered ? lines : lines.sort();
    };

    const look = subject.canLook ? it : null;

    /** A place of its own. */
    async function fresh(): Promise<CommandPlace> {
      const own = await subject.open(broker);
      onTestFinished(() => own.close());
      return own;
    }

    look?.("tail shows what is published, and takes nothing from the consumer", async () => {
      const { url, take } = await fresh();
      const tail = start(["tail", "--json", url]);
      await tail.said("tailing");
      const input = lineOf("evt_1") + lineOf("evt_2");
      const published = await sinkwire(["publish", "--json", url], input);
      expect(published).toMatchObject({ code: 0, stderr: "" });
      const receipts = published.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(receipts).toMatchObject([
        { line: 1, id: "evt_1", receipt: { duplicate: false } },
        { line: 2, id: "evt_2", receipt: { duplicate: false } },
      ]);
      expect(receipts.map(({ receipt }) => receipt.id !== "")).toEqual([subject.hasIds, subject.hasIds]);
      await tail.lines(2);
      tail.child.kill("SIGINT");
      const { code, stdout } = await tail.ended;
      expect({ code, lines: inOrder(stdout) }).toEqual({ code: 0, lines: inOrder(input) });
      expect(await take(2)).toEqual(["evt_1", "evt_2"]);
    });

    look?.("tail ends after --count, and counts what is no message", async () => {
      const { url, write } = await fresh();
      const tails = ["2", "3"].map((count) => start(["tail", "--count", count, url]));
      await Promise.all(tails.map((tail) => tail.said("tailing")));
      await sinkwire(["publish", url], lineOf("evt_1") + lineOf("evt_2"));
      await Promise.all(tails.map((tail) => tail.lines(2)));
      await write("no message");
      const [two, three] = await Promise.all(tails.map((tail) => tail.ended));
      const lines = inOrder(two?.stdout ?? "");
      expect(two?.code).toBe(0);
      expect(lines).toEqual([expect.stringMatching(/^\S+ {2}evt_1 /), expect.stringMatching(/^\S+ {2}evt_2 /)]);
      expect(two?.stderr).toContain("2 messages, 0 refused");
      expect({ code: three?.code, lines: inOrder(three?.stdout ?? "") }).toEqual({ code: 1, lines });
      expect(three?.stderr).toMatch(/✗ .*invalid_json.*\n2 messages, 1 refused/);
    });

    if (subject.hasPast) {
      it("tail looks back, and ends where nothing more is there", async () => {
        const { url, take } = await fresh();
        const all = lineOf("evt_1") + lineOf("evt_2") + lineOf("evt_3");
        await sinkwire(["publish", "--in-flight", "10", url], all);
        const back = await sinkwire(["tail", "--json", "--no-follow", "--since", "beginning", url]);
        expect(back).toMatchObject({ code: 0, stdout: all });
        expect(await sinkwire(["tail", "--json", "--no-follow", "--since", "2025-01-01T00:00Z", url])).toMatchObject({
          stdout: all,
        });
        const { stdout } = await sinkwire(["tail", "--json", "--since", "beginning", "--count", "1", url]);
        expect(stdout).toBe(lineOf("evt_1"));
        expect(await sinkwire(["tail", "--json", "--no-follow", url])).toMatchObject({ code: 0, stdout: "" });
        const later = new Date(Date.now() + 3_600_000).toISOString();
        expect(await sinkwire(["tail", "--json", "--no-follow", "--since", later, url])).toMatchObject({ stdout: "" });
        expect(await take(3)).toEqual(["evt_1", "evt_2", "evt_3"]);
      });
    }

    look?.("tail redeems claims, and verifies them", async () => {
      const { url } = await fresh();
      const folder = mkdtempSync(join(tmpdir(), "sinkwire-claims-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const hook = plainHook("evt_1", 100_000);
      const claims = createClaimCheck({ store: fileStore(folder) });
      const kept = await claims.encode(hook);
      const lost = encodeMessage({ ...hook, id: "evt_2" }, null, {
        claim: { ref: `urn:ankusa:claim:v1:${hook.tenant_id}:${"0".repeat(26)}`, sha256: kept.claim?.sha256 ?? "" },
      });
      const tail = start(["tail", "--json", "--redeem", "--store", folder, "--count", "2", url]);
      await tail.said("tailing");
      await sinkwire(["publish", url], `${Buffer.from(kept.bytes)}\n${Buffer.from(lost.bytes)}\n`);
      const { code, stdout } = await tail.ended;
      const [first, second] = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(code).toBe(1);
      expect(Buffer.from(first.body_base64, "base64").equals(hook.body)).toBe(true);
      expect(second).toMatchObject({ id: "evt_2", error: { code: "claim_not_found", retryable: false } });
    });

    it("publishes the hook of a payload", async () => {
      const { url, take } = await fresh();
      const file = join(mkdtempSync(join(tmpdir(), "sinkwire-payload-")), "payload");
      writeFileSync(file, "{}");
      const { code, stdout } = await sinkwire(["publish", url, file, "--id", "evt_9", "--source", "github"]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("evt_9") });
      expect(await take(1)).toEqual(["evt_9"]);
    });

    it("a line that is no message does not stop the rest: exit code 1", async () => {
      const { url, take } = await fresh();
      const { code, stdout, stderr } = await sinkwire(
        ["publish", "--json", url],
        `${lineOf("evt_1")}{"no": "message"}\n${lineOf("evt_3")}`,
      );
      expect(code).toBe(1);
      expect(
        stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line)),
      ).toMatchObject([
        { line: 1, id: "evt_1" },
        { line: 2, id: null, error: { code: "unsupported_version", outcome: "not_published", retryable: false } },
        { line: 3, id: "evt_3" },
      ]);
      expect(stderr).toContain("line 2");
      expect(await take(2)).toEqual(["evt_1", "evt_3"]);
    });

    it("stops at the first failure that may pass, and says where: exit code 3", async () => {
      const { missing } = await fresh();
      const { code, stdout, stderr } = await sinkwire(
        ["publish", "--json", missing],
        lineOf("evt_1") + lineOf("evt_2"),
      );
      expect(code).toBe(3);
      expect(
        stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line)),
      ).toMatchObject([{ line: 1, id: "evt_1", error: { outcome: "not_published", retryable: true } }]);
      expect(stderr).toContain("tail -n +1 FILE");
    });

    it("publishes a live stream as it comes, and ends in good order", async () => {
      const { url, take } = await fresh();
      const publish = start(["publish", "--json", url]);
      publish.child.stdin.write(lineOf("evt_1") + lineOf("evt_2"));
      await publish.lines(2);
      publish.child.kill("SIGINT");
      expect((await publish.ended).code).toBe(130);
      expect(await take(2)).toEqual(["evt_1", "evt_2"]);
    });

    it("doctor tells the server, and what is missing on it", async () => {
      const { url, missing } = await fresh();
      const good = await sinkwire(["doctor", "--json", url]);
      expect(good.code).toBe(0);
      const { ok, findings } = JSON.parse(good.stdout);
      expect(ok).toBe(true);
      const about = findings.filter((one: { subject: string }) => one.subject.includes(url));
      expect(about[0]).toMatchObject({ status: "pass", found: expect.stringMatching(subject.server) });
      expect(about.length).toBe(subject.hasClock ? 2 : 1);
      const bad = await sinkwire(["doctor", url, missing]);
      expect(bad.code).toBe(3);
      expect(bad.stdout).toMatch(/^PASS {2}[^\n]*$/m);
      expect(bad.stdout).toMatch(/^FAIL {2}[^\n]*\n {6}→/m);
    });

    subject.more?.(fresh);

    if (subject.hasPort) {
      it("a server that does not answer is told in a sentence, without its password: exit code 3", async () => {
        const url = place.url.replace(/127\.0\.0\.1:\d+/, "user:hunter2@127.0.0.1:1");
        for (const args of [["tail"], ["publish"], ["doctor"], ["tail", "--json"]]) {
          const { code, stdout, stderr } = await sinkwire([...args, url], lineOf("evt_1"));
          expect(code).toBe(3);
          expect(stdout + stderr).toContain("user:***@127.0.0.1:1");
          expect(stdout + stderr).not.toMatch(/hunter2|\n\s+at /);
        }
      });
    }
  });
}
