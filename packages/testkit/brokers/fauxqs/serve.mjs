// Serves SQS on the loopback port of the first argument. The package's own command listens on every interface.
import { buildApp } from "fauxqs";

await buildApp({ logger: false }).listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
