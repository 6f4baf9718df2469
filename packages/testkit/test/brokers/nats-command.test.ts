import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { createNatsConsumer } from "@sinkwire/nats";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../../src/checks/workspace.js";
import { describeCommand, sinkwire, start } from "./command.js";
import { takeIds } from "./take-ids.js";

describeCommand({
  broker: "nats",
  server: /^nats-server \d+\.\d+/,
  ...{ canLook: true, isOrdered: true, hasPort: true, hasClock: false, hasPast: true, hasIds: true },
  async open({ url }) {
    const connection = await connect({ servers: url });
    const stream = `hooks-${randomUUID()}`;
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: stream, subjects: [stream] });
    await manager.consumers.add(stream, { durable_name: "group", ack_policy: "explicit" });
    const client = { connection, jetstream: jetstream(connection) };
    return {
      url: `${url}/${stream}`,
      missing: `${url}/missing`,
      take: (count) => takeIds(createNatsConsumer({ ...client, stream, consumer: "group" }), count),
      write: (body) => client.jetstream.publish(stream, body),
      close: () => connection.close(),
    };
  },
  more(fresh) {
    it("is used as its page shows", async () => {
      const { url } = await fresh();
      const page = readFileSync(join(ROOT, "packages", "sinkwire", "README.md"), "utf8");
      const shown =
        /^\$ sinkwire tail (.*) &\n(.*)\n\$ sinkwire publish (.*)\n(.*)\n(.*)\n/m.exec(page)?.slice(1) ?? [];
      const [tailed = "", begins = "", published = "", receipt = "", seen = ""] = shown;
      const folder = mkdtempSync(join(tmpdir(), "sinkwire-page-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const payload = join(folder, "payload.json");
      writeFileSync(payload, '{"action": "opened"}\n');
      const here = (text: string): string =>
        text.replace("nats://127.0.0.1/hooks", url).replace("payload.json", payload).trim();
      const tail = start(["tail", ...here(tailed).split(/\s+/)]);
      await tail.said(here(begins));
      const { code, stdout } = await sinkwire(["publish", ...here(published).split(/\s+/)]);
      await tail.lines(1);
      tail.child.kill("SIGINT");
      const stream = url.slice(url.lastIndexOf("/") + 1);
      const named = (text: string): string => text.replaceAll(stream, "HOOKS").replace(/\d{4}-\d\d-\S+Z/, "a time");
      expect(code).toBe(0);
      expect(named(stdout)).toBe(`${named(receipt.replace("hooks", "HOOKS"))}\n`);
      expect(named((await tail.ended).stdout)).toBe(`${named(seen)}\n`);
    });
  },
});
