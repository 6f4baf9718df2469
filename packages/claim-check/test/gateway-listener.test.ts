import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { createGateway, type Gateway, memoryStore } from "../src/index.js";
import { gatewayListener } from "../src/node/index.js";

test("a server stops although a client has sent half of its headers", async () => {
  const server = createServer(gatewayListener(createGateway({ store: memoryStore() })));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const [accepted] = await once(server, "connection");
  socket.write("GET /health HTTP/1.1\r\nhost: x\r\nx-half");
  await expect.poll(() => accepted.bytesRead).toBeGreaterThan(0);

  const closed = once(server, "close");
  server.close();
  const refused = connect(port, "127.0.0.1");
  const [error] = await once(refused, "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
  expect(accepted.destroyed).toBe(false);
  server.closeAllConnections();
  await closed;
  expect(accepted.destroyed).toBe(true);
});

test.each([undefined, null, "str", {}])("refuses the handler %j", (handler) => {
  expect(() => gatewayListener(handler as unknown as Gateway)).toThrow(
    expect.objectContaining({ code: "invalid_hook", field: "handler", retryable: false }),
  );
});
