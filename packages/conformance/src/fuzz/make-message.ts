import { createHash } from "node:crypto";
import { makeClaimRef, mutateClaimRef } from "./make-claim.js";
import { mutateBytes } from "./mutate-bytes.js";
import { makeNumber } from "./numbers.js";
import type { Random } from "./random.js";
import { makeText, mutateText } from "./texts.js";

/** A member of a JSON object, its name and value as text of JSON, so that every spelling can be written. */
type Member = [name: string, value: string];

const OPTIONAL_TEXT = [
  "content_type",
  "dedupe_key",
  "replay_id",
  "idempotency_key",
  "traceparent",
  "tracestate",
  "instance",
  "region",
  "ordering_key",
] as const;

const LOOK_ALIKES = [
  "V",
  "ID",
  "SHA256",
  "\u017fha256",
  "\u212aey",
  "Claim",
  "body",
  "id ",
  "__proto__",
  "toJSON",
] as const;

/** Bytes that are a message, or were one before a few edits. */
export function makeMessage(random: Random): Buffer {
  const members = validMembers(random);
  if (!random.oneIn(4)) for (let edits = random.between(1, 2); edits > 0; edits--) mutateMembers(random, members);
  let bytes = Buffer.from(write(random, members));
  if (random.oneIn(4))
    for (let edits = random.between(1, 3); edits > 0; edits--) bytes = Buffer.from(mutateBytes(random, bytes));
  return bytes;
}

function validMembers(random: Random): Member[] {
  const body = random.bytes(random.length(60));
  const ref = makeClaimRef(random);
  const isClaim = random.oneIn(3);
  const tenant = isClaim && !random.oneIn(8) ? ref.split(":")[4] : makeText(random);
  const text = (value: string): string => quote(random, value);
  const members: Member[] = [
    ["v", random.oneIn(4) ? "2" : "1"],
    ["id", text(makeText(random) || "evt_1")],
    ["source_id", text(makeText(random))],
    ["received_at", String(random.between(-5, 2_000_000_000_000))],
    ["size", String(body.length)],
    ["tenant_id", random.oneIn(4) ? "null" : text(tenant ?? "")],
  ];
  for (const name of OPTIONAL_TEXT) {
    if (!random.oneIn(3)) members.push([name, random.oneIn(3) ? "null" : text(makeText(random))]);
  }
  if (!random.oneIn(4)) {
    const status = random.pick(["ok", "failed", "skipped"]);
    members.push(["verification", random.oneIn(5) ? "null" : `{"status":"${status}","flagged":${random.oneIn(2)}}`]);
  }
  if (!random.oneIn(6)) {
    const names = [...new Set(random.list(random.length(8), () => makeText(random)))];
    members.push(["headers", `{${names.map((name) => `${text(name)}:${text(makeText(random))}`).join(",")}}`]);
  }
  const sha256 = createHash("sha256").update(body).digest("hex");
  if (isClaim || !random.oneIn(5)) members.push(["sha256", `"${sha256}"`]);
  members.push(isClaim ? ["claim", text(ref)] : ["body_base64", `"${body.toString("base64")}"`]);
  return members.map(([name, value]) => [text(name), value]);
}

/** Edits one member, adds one, takes one away or moves one. */
function mutateMembers(random: Random, members: Member[]): void {
  const at = random.below(members.length);
  const member = members[at] as Member;
  switch (random.below(11)) {
    case 0:
      members.splice(at, 1);
      break;
    case 1:
      members.splice(random.below(members.length), 0, [...member]);
      break;
    case 2:
      members.push([quote(random, random.pick(LOOK_ALIKES)), makeJson(random, 3)]);
      break;
    case 3:
      members.push([quote(random, mutateText(random, textOf(member[0]) ?? "")), member[1]]);
      break;
    case 4: {
      const other = random.below(members.length);
      [members[at], members[other]] = [members[other] as Member, member];
      break;
    }
    case 5:
      member[1] = makeNumber(random);
      break;
    case 6:
      member[1] = makeJson(random, 3);
      break;
    case 7:
      members.push([random.pick(['"claim"', '"body_base64"', '"sha256"', '"headers"']), makeJson(random, 2)]);
      break;
    default:
      member[1] = mutateValue(random, member[1]);
  }
}

function mutateValue(random: Random, value: string): string {
  const text = textOf(value);
  if (text === null) return random.oneIn(2) ? makeNumber(random) : mutateText(random, value);
  const edited = text.startsWith("urn:") ? mutateClaimRef(random, text) : mutateText(random, text);
  return quote(random, edited);
}

function textOf(value: string): string | null {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "string" ? parsed : null;
  } catch {
    return null;
  }
}

/** A JSON value of any kind, as text. */
export function makeJson(random: Random, depth: number): string {
  switch (random.below(depth > 0 ? 8 : 6)) {
    case 0:
      return random.pick(["null", "true", "false"]);
    case 1:
    case 2:
      return makeNumber(random);
    case 3:
      return '""';
    case 4:
    case 5:
      return quote(random, makeText(random));
    case 6:
      return `[${random.list(random.below(4), () => makeJson(random, depth - 1)).join(",")}]`;
    default:
      return `{${random
        .list(random.below(4), () => `${quote(random, makeText(random))}:${makeJson(random, depth - 1)}`)
        .join(",")}}`;
  }
}

/** Writes a string: often plainly, sometimes with escapes that nobody needs. */
function quote(random: Random, text: string): string {
  const plain = JSON.stringify(text);
  if (!random.oneIn(5)) return plain;
  const at = random.below(text.length + 1);
  const end = at + random.between(1, 4);
  const units = text.slice(at, end).split("");
  const escaped = units.map((unit) => escapeUnit(random, unit)).join("");
  return `${JSON.stringify(text.slice(0, at)).slice(0, -1)}${escaped}${JSON.stringify(text.slice(end)).slice(1)}`;
}

function escapeUnit(random: Random, unit: string): string {
  const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${random.oneIn(2) ? digits.toUpperCase() : digits}`;
}

function write(random: Random, members: readonly Member[]): string {
  if (!random.oneIn(4)) return `{${members.map(([name, value]) => `${name}:${value}`).join(",")}}`;
  const space = (): string => random.pick(["", "", "", " ", "\n", "\t", "\r\n"]);
  const written = members.map(([name, value]) => `${space()}${name}${space()}:${space()}${value}${space()}`);
  return `${space()}{${written.join(",")}}${space()}`;
}
