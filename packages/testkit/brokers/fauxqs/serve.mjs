// Serves SQS on the loopback port of the first argument. The package's own command listens on every interface.
import { buildApp } from "fauxqs";

const part = (path) => import(new URL(path, import.meta.resolve("fauxqs")));

// It refuses every character above U+FFFF; SQS takes them.
const { INVALID_MESSAGE_BODY_CHAR } = await part("sqs/sqsTypes.js");
INVALID_MESSAGE_BODY_CHAR.test = (body) => /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(body);

// Without a host of its own, the URLs of its queues name the one that was asked, which can be reached.
const { SqsStore } = await part("sqs/sqsStore.js");
const sqsStore = Object.assign(new SqsStore(), { host: "" });

await buildApp({ logger: false, stores: { sqsStore } }).listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
