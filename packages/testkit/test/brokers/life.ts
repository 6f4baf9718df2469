import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, type BrokerName, startBroker, waitUntil } from "../../src/brokers/index.js";

/** How a test speaks to a server through the client that users run. */
export interface Talk {
  /** Makes the queue unless it is there, and adds a text; resolves when the server has confirmed it. */
  write(url: string, text: string): Promise<void>;
  /** Takes the oldest text from the queue; throws when there is no server, no queue or no text. */
  read(url: string): Promise<string>;
}

/**
 * What every server has to do: start, speak, freeze, come back after a crash, and leave nothing behind.
 *
 * @param more - further tests, while the server runs
 */
export function describeLife(
  name: BrokerName,
  options: { readonly version: RegExp; readonly talk: Talk; readonly more?: (url: () => string) => void },
): void {
  const { version, talk, more } = options;
  describe(`${name}, started here`, () => {
    let broker: Broker;
    beforeAll(async () => {
      broker = await startBroker(name, { own: true });
    });
    afterAll(() => broker?.stop());

    it("says what runs", () => {
      console.log(`note: ${broker.version} took ${Math.round(broker.startedInMs ?? Number.NaN)} ms to start`);
      expect(broker.version).toMatch(version);
      expect(groupStates(broker.pid).length).toBeGreaterThan(0);
    });

    it("speaks to its client", async () => {
      await talk.write(broker.url, "spoken");
      expect(await talk.read(broker.url)).toBe("spoken");
    });

    more?.(() => broker.url);

    it("does nothing while frozen, and goes on when resumed", async () => {
      broker.freeze();
      let done = false;
      const writing = talk.write(broker.url, "frozen").then(() => {
        done = true;
      });
      await waitUntil(() => expect(groupStates(broker.pid).every((state) => state.startsWith("T"))).toBe(true), WAIT);
      expect(done).toBe(false);
      broker.resume();
      await writing;
      expect(await talk.read(broker.url)).toBe("frozen");
    });

    it.each(["crash", "restart"])(
      "comes back after a %s on its port, with its data when it is durable",
      async (how) => {
        const { url, pid } = broker;
        await talk.write(url, how);
        if (how === "crash") {
          await broker.kill();
          expect(broker.pid).toBeNull();
          await waitUntil(() => expect(groupStates(pid)).toEqual([]), WAIT);
          await expect(talk.read(url)).rejects.toThrow();
        }
        await broker.restart();
        expect(broker.url).toBe(url);
        expect(broker.pid).not.toBe(pid);
        if (broker.durable) await readUntil(url, how);
        else await expect(talk.read(url)).rejects.toThrow();
        await talk.write(url, "after it");
        expect(await talk.read(url)).toBe("after it");
      },
    );

    /** A crashed server may forget what was taken from it, never what was given to it. */
    async function readUntil(url: string, text: string): Promise<void> {
      while ((await talk.read(url)) !== text);
    }

    it("is stopped although frozen, and leaves no process and no folder", async () => {
      const { folder, pid } = broker;
      broker.freeze();
      await broker.stop();
      expect(existsSync(folder ?? "")).toBe(false);
      await waitUntil(() => expect(groupStates(pid)).toEqual([]), WAIT);
      await waitUntil(() => expect(processesOf(folder ?? "")).toEqual([]), WAIT);
      await expect(broker.restart()).rejects.toThrow("stopped for good");
    });
  });
}

const WAIT = { limitMs: 10_000 };

/** The states of the processes in a group, without those that have ended and only wait to be noticed. */
function groupStates(group: number | null): string[] {
  return execFileSync("ps", ["-A", "-o", "pgid=,stat="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([pgid, state]) => pgid === String(group) && state?.startsWith("Z") === false)
    .map(([, state]) => state ?? "");
}

/** The processes that were started for a folder, whichever group they have gone to. Linux tells; elsewhere none. */
function processesOf(folder: string): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && environment(pid).includes(folder));
}

function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
