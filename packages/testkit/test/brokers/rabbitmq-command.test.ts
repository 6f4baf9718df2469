import { randomUUID } from "node:crypto";
import { createRabbitmqConsumer } from "@sinkwire/rabbitmq";
import { connect } from "amqplib";
import { expect, it } from "vitest";
import { describeCommand, lineOf, sinkwire, start } from "./command.js";
import { takeIds } from "./take-ids.js";

describeCommand({
  broker: "rabbitmq",
  server: /^RabbitMQ \d+\.\d+/,
  ...{ canLook: true, isOrdered: true, hasPort: true, hasClock: false, hasPast: false, hasIds: false },
  async open({ url }) {
    const connection = await connect(url);
    const channel = await connection.createChannel();
    const name = `hooks-${randomUUID()}`;
    await channel.assertExchange(name, "topic", { durable: true });
    await channel.assertQueue(name, { durable: true });
    await channel.bindQueue(name, name, "#");
    const server = url.replace(/\/\/.*@/, "//").replace(/\/$/, "");
    return {
      url: `${server}/${name}`,
      missing: `${server}/missing`,
      take: (count) => takeIds(createRabbitmqConsumer({ connection, queue: name }), count),
      write: async (body) => channel.publish(name, "any", Buffer.from(body)),
      close: () => connection.close(),
    };
  },
  more(fresh) {
    it("a queue is not looked at without --take: exit code 2; with it, what is printed is taken", async () => {
      const { url } = await fresh();
      const queue = url.replace(/\/([^/]*)$/, "/?queue=$1");
      expect((await sinkwire(["publish", queue], lineOf("evt_1") + lineOf("evt_2"))).code).toBe(0);
      const refused = await sinkwire(["tail", queue]);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("--take");
      expect(await sinkwire(["tail", "--json", "--take", "--count", "1", queue])).toMatchObject({
        code: 0,
        stdout: lineOf("evt_1"),
      });
      expect(await sinkwire(["tail", "--take", `${queue}-missing`])).toMatchObject({ code: 3 });
      const rest = start(["tail", "--json", "--take", queue]);
      await rest.lines(1);
      rest.child.kill("SIGTERM");
      expect(await rest.ended).toMatchObject({ code: 0, stdout: lineOf("evt_2") });
    });

    it.each([["--since", "1h"], ["--no-follow"]])(
      "tail refuses %s: nothing is kept to look back at",
      async (...flags) => {
        const { url } = await fresh();
        const { code, stderr } = await sinkwire(["tail", ...flags, url]);
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("RabbitMQ keeps nothing") });
      },
    );
  },
});
