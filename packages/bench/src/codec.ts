import { Buffer, isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { decodeMessage, encodeMessage, type Hook, serializeMessage, tryDecodeMessage } from "@sinkwire/message";
import { Ajv2020 } from "ajv/dist/2020.js";
import { measure } from "./measure.js";
import { type ProfileRow, profile } from "./profile.js";

/** Body sizes, in bytes. */
const SIZES = [245, 4_096, 65_536, 524_288] as const;
/** Limits that let every size ride inline. */
const LIMITS = { inlineMaxBytes: 1 << 30, maxBytes: 1 << 30 } as const;
const CONTEXT = { instance: "default", region: "eu-west-1" } as const;

/** Ratios of one body: to the decode floor for what reads, to the encode floor for what writes. */
export interface CodecRow {
  readonly text: "ascii" | "non-ascii";
  readonly bodyBytes: number;
  /** UTF-8 check, JSON.parse, base64, SHA-256: nanoseconds, for scale only. */
  readonly readFloorNs: number;
  /** JSON.stringify, base64, SHA-256, UTF-8: nanoseconds, for scale only. */
  readonly writeFloorNs: number;
  readonly decode: number;
  /** The slowest of the refusals to the accepted message. */
  readonly refuseToAccept: number;
  readonly encode: number;
  readonly serialize: number;
  /** `cloudevents` reading the same body as a structured event, which checks no digest. */
  readonly cloudevents: number;
  /** JSON.parse and ajv on the message's schema: no body decoded, no digest. */
  readonly ajv: number;
}

/** Targets of the codec, as ratios to the floor. */
export const TARGETS = {
  decode: { 245: 1.5, 4096: 1.25, 65536: 1.2 } as Readonly<Record<number, number>>,
  encode: 1.3,
  refuseToAccept: 1,
} as const;

/** Measures all rows, interleaved within each body. */
export function benchCodec(onRow?: (row: CodecRow) => void): CodecRow[] {
  const validate = compileSchema();
  const rows: CodecRow[] = [];
  for (const text of ["ascii", "non-ascii"] as const) {
    for (const bodyBytes of SIZES) {
      const row = benchBody(text, bodyBytes, validate);
      rows.push(row);
      onRow?.(row);
    }
  }
  return rows;
}

/** Where the time goes with the smallest body, whose ratios to the floor are the largest. */
export interface CodecProfile {
  readonly decode: readonly ProfileRow[];
  /** The slowest refusal, by what is wrong with its input. */
  readonly refusal: { readonly name: string; readonly rows: readonly ProfileRow[] };
}

/** Profiles the decode of the smallest body, and its slowest refusal. */
export async function profileCodec(): Promise<CodecProfile> {
  const bytes = Buffer.from(encodeMessage(exampleHook("ascii", SIZES[0]), CONTEXT, LIMITS).bytes);
  const decode = await profile(() => decodeMessage(bytes).size, 3_000);
  const { name, input } = slowestRefusal(bytes, decodeMessage(bytes).sha256 ?? "");
  return { decode, refusal: { name, rows: await profile(() => Number(tryDecodeMessage(input).ok), 3_000) } };
}

function benchBody(text: CodecRow["text"], bodyBytes: number, validate: (value: unknown) => boolean): CodecRow {
  const hook = exampleHook(text, bodyBytes);
  const bytes = Buffer.from(encodeMessage(hook, CONTEXT, LIMITS).bytes);
  const message = decodeMessage(bytes);
  const { body_base64, sha256, ...plain } = JSON.parse(bytes.toString("utf8")) as Record<string, unknown>;
  const event = structuredEvent(plain, body_base64 as string);
  const body = Buffer.from(hook.body);

  const ns = measure({
    readFloor: () => {
      if (!isUtf8(bytes)) throw new Error("not UTF-8");
      const value = JSON.parse(bytes.toString("utf8")) as { body_base64: string };
      return hash("sha256", Buffer.from(value.body_base64, "base64"), "hex").length;
    },
    decode: () => decodeMessage(bytes).size,
    cloudevents: () => readCloudEvent(event),
    ajv: () => Number(validate(JSON.parse(bytes.toString("utf8")))),
    writeFloor: () => {
      const value = { ...plain, sha256: hash("sha256", body, "hex"), body_base64: body.toString("base64") };
      return Buffer.from(JSON.stringify(value), "utf8").length;
    },
    encode: () => encodeMessage(hook, CONTEXT, LIMITS).size,
    serialize: () => serializeMessage(message).length,
  });
  return {
    text,
    bodyBytes,
    readFloorNs: Math.round(ns.readFloor),
    writeFloorNs: Math.round(ns.writeFloor),
    decode: ns.decode / ns.readFloor,
    refuseToAccept: slowestRefusal(bytes, sha256 as string).ratio,
    encode: ns.encode / ns.writeFloor,
    serialize: ns.serialize / ns.writeFloor,
    cloudevents: ns.cloudevents / ns.readFloor,
    ajv: ns.ajv / ns.readFloor,
  };
}

interface Refusal {
  readonly name: string;
  readonly input: Uint8Array;
  readonly ratio: number;
}

/** The slowest of the refusals, as a ratio to accepting, through the result form. */
function slowestRefusal(bytes: Uint8Array, sha256: string): Refusal {
  const inputs = refusals(bytes, sha256);
  const side = (input: Uint8Array) => () => Number(tryDecodeMessage(input).ok);
  const sides = Object.entries(inputs).map(([name, input]) => [name, side(input)] as const);
  const ns = measure<string>({ accept: side(bytes), ...Object.fromEntries(sides) });
  const ratio = (name: string): number => (ns[name] ?? Number.NaN) / (ns["accept"] ?? Number.NaN);
  const all = Object.entries(inputs).map(([name, input]) => ({ name, input, ratio: ratio(name) }));
  return all.reduce((slowest, one) => (one.ratio > slowest.ratio ? one : slowest));
}

/** A webhook like GitHub's, its body padded to the size. */
function exampleHook(text: CodecRow["text"], bodyBytes: number): Hook {
  const name = text === "ascii" ? "Ada" : "Ådå 天 😀";
  const start = Buffer.from(JSON.stringify({ action: "opened", sender: { login: name } }));
  const filler = Buffer.from(text === "ascii" ? "abcdefgh" : "åb天d😀");
  const body = Buffer.concat([start, Buffer.alloc(Math.max(0, bodyBytes - start.length), filler)]);
  return {
    id: "01a0b2c3-d4e5-7f60-8a1b-2c3d4e5f6071",
    source_id: "github",
    tenant_id: "acme",
    received_at: 1_737_500_000_000,
    content_type: "application/json",
    body,
    dedupe_key: "72d3162e-cc78-11e3-81ab-4c9367dc0958",
    headers: [
      ["Accept", "*/*"],
      ["User-Agent", text === "ascii" ? "GitHub-Hookshot/044aadd" : `GitHub-Hookshot/${name}`],
      ["X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958"],
      ["X-GitHub-Event", "issues"],
      ["X-Hub-Signature-256", "sha256=d57c68ca6f92289e6987922ff26938930f6e66a2d161ef06abdf1859230aa23c"],
    ],
    verification: { status: "ok", flagged: false },
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  };
}

/** One fault for each stage of a decode, as late in the text as it can be: text, fields, base64, size, digest. */
function refusals(bytes: Uint8Array, sha256: string): Record<string, Uint8Array> {
  const text = Buffer.from(bytes).toString("utf8");
  const other = sha256.startsWith("0") ? `1${sha256.slice(1)}` : `0${sha256.slice(1)}`;
  const texts = {
    "a truncated text": text.slice(0, -1),
    "a comma too many": text.replace(/}$/, ",}"),
    "a name twice": text.replace('{"v":1', '{"v":1,"v":1'),
    "an id of another type": text.replace('"id":"', '"id":1,"was":"'),
    "another size": text.replace(/"size":(\d+)/, (_, size: string) => `"size":${Number(size) + 1}`),
    "base64 of another alphabet": text.replace(/(.)"}$/, '-$1"}'),
    "another digest": text.replace(sha256, other),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, refused]) => [name, Buffer.from(refused, "utf8")]));
}

function structuredEvent(plain: Record<string, unknown>, dataBase64: string): string {
  return JSON.stringify({
    specversion: "1.0",
    id: plain["id"],
    source: "/github",
    type: "issues",
    time: "2026-01-21T22:53:20Z",
    datacontenttype: "application/octet-stream",
    traceparent: plain["traceparent"],
    data_base64: dataBase64,
  });
}

const { HTTP } = createRequire(import.meta.url)("cloudevents") as typeof import("cloudevents");

function readCloudEvent(body: string): number {
  const event = HTTP.toEvent({ headers: { "content-type": "application/cloudevents+json" }, body });
  return Array.isArray(event) ? event.length : Number(event.id.length);
}

function compileSchema(): (value: unknown) => boolean {
  const url = new URL("../../../schemas/sink-message.v1.schema.json", import.meta.url);
  const ajv = new Ajv2020({ strict: false });
  return ajv.compile(JSON.parse(readFileSync(url, "utf8")) as object) as (value: unknown) => boolean;
}

/** How far a row is from its targets, in words; empty when it meets them. */
export function missedTargets(row: CodecRow): string[] {
  const missed: string[] = [];
  const note = (what: string, is: number, target: number | undefined): void => {
    if (target !== undefined && is > target) {
      missed.push(`${what} of ${row.bodyBytes} B ${row.text}: ${is.toFixed(2)} > ${target}`);
    }
  };
  note("decode", row.decode, TARGETS.decode[row.bodyBytes]);
  note("encode", row.encode, TARGETS.encode);
  note("refuse", row.refuseToAccept, TARGETS.refuseToAccept);
  return missed;
}
