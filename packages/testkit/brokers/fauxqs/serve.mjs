// Serves SQS on the loopback port of the first argument. The package's own command listens on every interface.
import { buildApp } from "fauxqs";

// It refuses every character above U+FFFF; SQS takes them.
const { INVALID_MESSAGE_BODY_CHAR } = await import(new URL("sqs/sqsTypes.js", import.meta.resolve("fauxqs")));
INVALID_MESSAGE_BODY_CHAR.test = (body) => /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(body);

await buildApp({ logger: false }).listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
