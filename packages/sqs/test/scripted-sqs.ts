import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SQSClient, type SQSClientConfig } from "@aws-sdk/client-sqs";
import { onTestFinished } from "vitest";

/** What the client asked for. */
export interface Asked {
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** An answer: a result, an error of the service with its status and headers, or none but a lost connection. */
export type Answer =
  | object
  | { readonly status: number; readonly error: string; readonly headers?: Readonly<Record<string, string>> }
  | "lost"
  | "never";

/** SQS as one test needs it, for what no stand-in does. */
export interface ScriptedSqs {
  readonly client: SQSClient;
  /** All that was asked, in order. */
  readonly asked: readonly Asked[];
  /** What was asked of one kind. */
  inputs(action: string): readonly Asked["input"][];
}

/** What SQS answers to a message that it took. */
export function taken(input: Asked["input"]): object {
  return { MessageId: "m-1", MD5OfMessageBody: md5(String(input["MessageBody"])) };
}

/** The digest that SQS tells of a text. */
export function md5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/**
 * Serves a script to the SDK's own client, until the test ends.
 *
 * @param answer - what to answer, to the how-manieth call of its kind, from 0
 * @param config - of the client
 */
export async function scriptedSqs(
  answer: (asked: Asked, count: number) => Answer | Promise<Answer>,
  config: SQSClientConfig = {},
): Promise<ScriptedSqs> {
  const asked: Asked[] = [];
  const inputs = (action: string): Asked["input"][] =>
    asked.filter((one) => one.action === action).map(({ input }) => input);
  const server = createServer(async (request, response) => {
    const action = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
    const one = { action, input: JSON.parse(await text(request)) as Asked["input"] };
    asked.push(one);
    const answered = await answer(one, inputs(action).length - 1);
    if (answered === "never") return;
    if (answered === "lost") {
      request.socket.destroy();
      return;
    }
    const failed = "status" in answered && "error" in answered;
    if (failed && "headers" in answered) response.setHeaders(new Map(Object.entries(answered.headers as object)));
    response.writeHead(failed ? Number(answered.status) : 200, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify(failed ? { __type: `com.amazonaws.sqs#${answered.error}`, message: "" } : answered));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = new SQSClient({
    region: "eu-west-1",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: "a", secretAccessKey: "s" },
    ...config,
  });
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { client, asked, inputs };
}
