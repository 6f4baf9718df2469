// The TypeScript runner of the conformance suites: one JSON request a line on stdin, one JSON answer a line on stdout.
import { answer } from "./answer.js";

const LF = 0x0a;

async function serve(line: Buffer): Promise<void> {
  const { id, operation, input } = JSON.parse(line.toString("utf8"));
  const text = JSON.stringify({ id, ...(await answer(operation, input)) });
  await new Promise((resolve) => process.stdout.write(`${text}\n`, resolve));
}

let parts: Buffer[] = [];
for await (const chunk of process.stdin) {
  let rest = chunk as Buffer;
  for (let end = rest.indexOf(LF); end !== -1; end = rest.indexOf(LF)) {
    await serve(Buffer.concat([...parts, rest.subarray(0, end)]));
    parts = [];
    rest = rest.subarray(end + 1);
  }
  if (rest.length > 0) parts.push(rest);
}
