import { headers, type Msg, type MsgHdrs } from "@nats-io/nats-core";
import { MsgHdrsImpl } from "@nats-io/nats-core/internal";
import type { DeliveryRead } from "@sinkwire/delivery";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectLimit } from "../../delivery/test/expect-limit.js";
import { expectReader, unreadable } from "../../delivery/test/expect-reader.js";
import { context, hook } from "../../message/test/arbitraries.js";
import { fromNats, NATS_LIMITS, type NatsMessage, toNats } from "../src/index.js";

const subject = "hooks.orders";
const given = { id: "evt_1", source_id: "orders", tenant_id: "acme", received_at: 0, body: Buffer.from("body") };

/** What the client delivers fits without a cast. */
const readClient: (message: Pick<Msg, "data" | "headers">) => DeliveryRead = fromNats;

function clientHeaders(message: NatsMessage): MsgHdrs {
  const made = headers();
  for (const [name, value] of message.headers) made.append(name, value);
  return made;
}

test("the default limit is that of nats-server", () =>
  expectLimit(NATS_LIMITS.maxBytes, (hook, context, sizes) => toNats(hook, context, { ...sizes, subject })));

describe("the client", () => {
  test("writes a header block of the size that was counted and reads back every hook", () => {
    fc.assert(
      fc.property(hook, context, (given, publish) => {
        const message = toNats(given, publish, { subject });
        // The client trims every kind of white space, more than a header line needs.
        fc.pre(message.headers.every(([, value]) => value === value.trim()));
        const block = (clientHeaders(message) as MsgHdrsImpl).encode();
        expect(block.length + message.payload.length).toBe(message.size);
        expect(readClient({ data: message.payload, headers: MsgHdrsImpl.decode(block) })).toMatchObject({
          kind: "message",
          message: { id: given.id },
          metadata: { problems: [] },
        });
      }),
    );
  });

  test("refuses no subject that was accepted and no header that was kept", () => {
    const message = toNats({ ...given, source_id: "a\nb", dedupe_key: "d" }, { replay_id: " r" }, { subject });
    const names = message.headers.map(([name]) => name);
    expect(names).toContain("ankusa_dedupe_key");
    expect(names).not.toContain("ankusa_source_id");
    expect(names).not.toContain("ankusa_replay_id");
    expect(() => clientHeaders(message)).not.toThrow();
  });
});

describe("fromNats", () => {
  const { payload, headers: pairs } = toNats(given, null, { subject });
  const record = Object.fromEntries(pairs.map(([name, value]) => [name, [value]]));
  const seen = { kind: "message", metadata: { id: "evt_1", tenant_id: "acme", problems: [] }, bytes: payload };

  test("reads the client's headers, a record and a Map of them", () => {
    expect(fromNats({ data: payload, headers: clientHeaders(toNats(given, null, { subject })) })).toMatchObject(seen);
    expect(fromNats({ data: payload, headers: record })).toMatchObject(seen);
    expect(fromNats({ data: payload, headers: new Map(Object.entries(record)) as never })).toMatchObject(seen);
  });

  test("reads a message without headers", () => {
    expect(fromNats({ data: payload })).toMatchObject({ kind: "message", metadata: { id: null } });
  });

  test("a header that stands twice refuses an identity", () => {
    const twice = clientHeaders(toNats(given, null, { subject }));
    twice.append("ankusa_id", "evt_2");
    expect(fromNats({ data: payload, headers: twice })).toMatchObject({
      kind: "invalid",
      error: { code: "metadata_mismatch", field: "id" },
    });
  });

  test("names match exactly, whatever the server's own headers are called", () => {
    const other = headers();
    other.append("Ankusa_Id", "evt_2");
    other.append("Nats-Msg-Id", "evt_2");
    expect(fromNats({ data: payload, headers: other })).toMatchObject({ kind: "message", metadata: { id: null } });
  });

  test("reads whatever was delivered, and refuses options that cannot be used", () =>
    expectReader(fromNats, { record: { data: payload, headers: record }, body: "data", none: [null, "x"] }));

  test("headers that cannot be read are no metadata", () => {
    for (const headers of [
      { keys: unreadable, values: () => [] },
      { keys: () => ["ankusa_id"], values: unreadable },
    ]) {
      expect(fromNats({ data: payload, headers })).toMatchObject({ kind: "message", metadata: { id: null } });
    }
  });
});
