import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConformanceReport, loadSuite } from "@sinkwire/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked } from "../src/checks/pack.js";
import { ROOT } from "../src/checks/workspace.js";

const decodes = loadSuite().cases.filter(
  ({ retired, operation, expect: { error } }) =>
    retired === undefined && operation === "decode_message" && error?.code === "not_an_object",
);
const [logged, hung, twice] = decodes.map(({ id }) => id);

/** Knows two of the ten refusals, and nothing else of the format. */
const DECODER = `
import base64, json, sys, time

def decode(bytes_):
    try:
        value = json.loads(bytes_.decode("utf-8"))
    except Exception:
        return {"error": {"code": "invalid_json", "field": None, "retryable": False}}
    if isinstance(value, dict):
        return {"unsupported": True}
    return {"error": {"code": "not_an_object", "field": None, "retryable": False}}

for line in sys.stdin:
    request = json.loads(line)
    if request["operation"] != "decode_message":
        answer = {"unsupported": True}
    else:
        answer = decode(base64.b64decode(request["input"]["bytes_base64"]))
    if request["id"] == ${JSON.stringify(logged)}:
        print("a log line where answers belong", flush=True)
    if request["id"] == ${JSON.stringify(hung)}:
        time.sleep(3600)
    for _ in range(2 if request["id"] == ${JSON.stringify(twice)} else 1):
        print(json.dumps({"id": request["id"], **answer}), flush=True)
`;

let folder: string;
let status: number | null;
let report: ConformanceReport;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sinkwire-outside-"));
  installPacked(ROOT, folder);
  const empty = join(folder, "empty");
  mkdirSync(empty);
  writeFileSync(join(empty, "decoder.py"), DECODER);
  const command = [
    "conformance",
    "run",
    "--suite",
    "message",
    "--report",
    "report.json",
    "--",
    "python3",
    "decoder.py",
  ];
  status = spawnSync(join(folder, "node_modules", ".bin", "sinkwire"), command, { cwd: empty }).status;
  report = JSON.parse(readFileSync(join(empty, "report.json"), "utf8")) as ConformanceReport;
});
afterAll(() => rmSync(folder, { recursive: true }));

const reasonOf = (id: string | undefined): string | undefined =>
  report.implementations[0]?.failures.find((failure) => failure.id === id)?.reason;

test("a decoder in another language is judged from the packed tarballs, by the vectors that they carry", () => {
  expect(report.suite.digest).toBe(loadSuite().digest);
  expect(status).toBe(1);
});

test("a log line on stdout, a hang and a second answer are each reported", () => {
  expect(report.implementations[0]?.faults.map(({ kind }) => kind)).toContain("not_an_answer");
  expect(reasonOf(hung)).toBe("no_answer");
  expect(reasonOf(twice)).toBe("answered_twice");
});

test("every other case is judged by what the decoder answered", () => {
  const [counts] = report.implementations[0]?.suites ?? [];
  const suite = loadSuite().cases.filter((one) => one.suite === "message" && one.retired === undefined);
  expect(counts?.total).toBe(suite.length);
  expect(counts?.passedIds).toEqual(expect.arrayContaining(decodes.slice(3).map(({ id }) => id)));
  expect(report.implementations[0]?.failures.filter(({ reason }) => reason === "not_judged")).toEqual([]);
});
