import type { Random } from "./random.js";
import { mutateText } from "./texts.js";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TENANT = "ABCXYZabcxyz0189_-";

/** A valid claim id. */
export function makeClaimId(random: Random): string {
  const first = String(random.below(8));
  if (random.oneIn(4)) return first + random.pick(["0", "Z"]).repeat(25);
  return first + random.list(25, () => CROCKFORD[random.below(32)]).join("");
}

/** A tenant that a claim reference may hold. */
export function makeClaimTenant(random: Random): string {
  return random.list(random.oneIn(8) ? 64 : random.between(1, 8), () => TENANT[random.below(TENANT.length)]).join("");
}

/** A valid claim reference of version 1 or 2. */
export function makeClaimRef(random: Random): string {
  const [tenant, id] = [makeClaimTenant(random), makeClaimId(random)];
  if (!random.oneIn(3)) return `urn:ankusa:claim:v1:${tenant}:${id}`;
  const exp = `${random.between(1, 9)}${random.list(random.below(12), () => random.below(10)).join("")}`;
  const sig = random.list(43, () => TENANT[random.below(TENANT.length)]).join("");
  return `urn:ankusa:claim:v2:${tenant}:${id}:${exp}:${sig}`;
}

/** Edits a reference as a text or in one of its parts. */
export function mutateClaimRef(random: Random, ref: string): string {
  if (random.oneIn(2)) return mutateText(random, ref);
  const parts = ref.split(":");
  const at = random.below(parts.length);
  switch (random.below(4)) {
    case 0:
      parts.splice(at, 1);
      break;
    case 1:
      parts.splice(at, 0, parts[at] ?? "");
      break;
    case 2:
      parts[at] = random.pick(["", "v1", "v2", "v3", "V1", "v01", "0", "I", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ"]);
      break;
    default:
      parts[at] = mutateText(random, parts[at] ?? "");
  }
  return parts.join(":");
}
