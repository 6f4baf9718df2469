import { PublishError } from "@sinkwire/delivery";
import { describe, expect, test, vi } from "vitest";
import { createBatches, type Outgoing, type Requests } from "../src/batches.js";
import type { PubsubOutgoingMessage } from "../src/client.js";
import { createTurns } from "../src/turns.js";

const invalid = Object.assign(new Error("3 INVALID_ARGUMENT"), { code: 3 });
const name = ({ attributes }: PubsubOutgoingMessage): string => attributes["name"] ?? "";

/** Requests that are answered by hand. */
function byHand() {
  const open: {
    readonly names: string[];
    readonly answer: (ids?: string[]) => void;
    readonly fail: (e: unknown) => void;
  }[] = [];
  const requests: Requests = {
    ready: async () => {},
    publish: (messages) =>
      new Promise((resolve, reject) => {
        const names = messages.map(name);
        open.push({ names, answer: (ids = names) => resolve(ids), fail: reject });
      }),
  };
  return { requests, open };
}

const outgoing = (id: string, key = "", more: Partial<Outgoing> = {}): Outgoing => ({
  message: { data: new Uint8Array(), attributes: { name: id } },
  ...{ key, bytes: 1, start: () => {}, failed: () => {} },
  ...more,
});
const settled = (promises: Promise<string>[]): Promise<unknown[]> =>
  Promise.all(promises.map((promise) => promise.catch((error: unknown) => error)));

describe("batches", () => {
  test("one turn is one request for each key, and a key has one open at a time", async () => {
    const { requests, open } = byHand();
    const send = createBatches(requests);
    const sent = [
      ["a1", "a"],
      ["1", ""],
      ["b1", "b"],
      ["a2", "a"],
      ["2", ""],
    ].map(([id = "", key]) => send(outgoing(id, key)));
    await vi.waitFor(() => expect(open).toHaveLength(3));
    expect(open.map(({ names }) => names)).toEqual([["a1", "a2"], ["1", "2"], ["b1"]]);
    sent.push(send(outgoing("a3", "a")), send(outgoing("3")), send(outgoing("a4", "a")));
    await vi.waitFor(() => expect(open).toHaveLength(4));
    expect(open[3]?.names).toEqual(["3"]);
    for (const { answer } of open) answer();
    await vi.waitFor(() => expect(open).toHaveLength(5));
    expect(open[4]?.names).toEqual(["a3", "a4"]);
    open[4]?.answer();
    expect(await Promise.all(sent)).toEqual(["a1", "1", "b1", "a2", "2", "a3", "3", "a4"]);
  });

  test("a request takes 100 messages or 1 MiB, and one that is larger goes alone", async () => {
    const { requests, open } = byHand();
    const send = createBatches(requests);
    const sizes = [...Array.from({ length: 101 }, () => 1), 2_000_000, 600_000, 448_577, 448_576];
    const sent = sizes.map((bytes, i) => send(outgoing(`${i}`, "", { bytes })));
    await vi.waitFor(() => expect(open).toHaveLength(5));
    expect(open.map(({ names }) => names.length)).toEqual([100, 1, 1, 1, 2]);
    for (const { answer } of open) answer();
    await Promise.all(sent);
  });

  test("of a request that is invalid each message gets an outcome of its own", async () => {
    const send = createBatches({
      ready: async () => {},
      publish: async (messages) => {
        if (messages.some((message) => name(message) === "bad")) throw invalid;
        return messages.map(name);
      },
    });
    expect(await settled(["1", "bad", "2"].map((id) => send(outgoing(id))))).toEqual(["1", invalid, "2"]);
  });

  test("of a key, nothing goes past the message that is invalid", async () => {
    const turns = createTurns();
    const published: string[] = [];
    const send = createBatches({
      ready: async () => {},
      publish: async (messages) => {
        if (messages.some((message) => name(message) === "bad")) throw invalid;
        published.push(...messages.map(name));
        return messages.map(name);
      },
    });
    const sendInTurn = (id: string): Promise<string> => {
      const turn = turns.take("k");
      return send(outgoing(id, "k", { start: turn.check, failed: turn.fail })).finally(turn.leave);
    };
    const [first, bad, behind] = await settled(["1", "bad", "2"].map(sendInTurn));
    expect([first, bad]).toEqual(["1", invalid]);
    expect(behind).toMatchObject({ code: "publish_failed", outcome: "not_published", cause: invalid });
    expect(await sendInTurn("3")).toBe("3");
    expect(published).toEqual(["1", "3"]);
    await turns.idle();
  });

  test("a message that must not leave any more does not", async () => {
    const { requests, open } = byHand();
    const send = createBatches(requests);
    const late = new Error("too late");
    const start = (): never => {
      throw late;
    };
    const sent = settled([
      send(outgoing("1", "", { start })),
      send(outgoing("2")),
      send(outgoing("3", "k", { start })),
    ]);
    await vi.waitFor(() => expect(open).toHaveLength(1));
    open[0]?.answer();
    expect(await sent).toEqual([late, "2", late]);
  });

  test("a client that cannot be made ready starts nothing", async () => {
    const broken = new Error("no credentials");
    const start = vi.fn();
    const send = createBatches({ ready: () => Promise.reject(broken), publish: async () => [] });
    expect(await settled([send(outgoing("1", "", { start }))])).toEqual([broken]);
    expect(start).not.toHaveBeenCalled();
  });

  test.for([[], ["1"], ["1", ""], ["1", "2", "3"]])(
    "an answer that names not one id for each is none: %j",
    async (ids) => {
      const send = createBatches({ ready: async () => {}, publish: async () => ids });
      for (const error of await settled(["1", "2"].map((id) => send(outgoing(id))))) {
        expect(error).toBeInstanceOf(PublishError);
        expect(error).toMatchObject({ outcome: "unknown" });
      }
    },
  );
});

describe("turns", () => {
  test("a failure stops those that were called after it and before it failed, of its key only", () => {
    const turns = createTurns();
    const [first, second, third, other, none] = ["k", "k", "k", "o", ""].map((key) => turns.take(key));
    const cause = new Error("it failed");
    second?.fail(cause);
    const later = turns.take("k");
    for (const turn of [first, second, other, none, later]) turn?.check();
    expect(() => third?.check()).toThrow(expect.objectContaining({ outcome: "not_published", cause }));
    first?.fail(new Error("it failed too"));
    expect(() => second?.check()).toThrow("an earlier message");
    later.check();
    none?.fail(cause);
    turns.take("").check();
  });
});
