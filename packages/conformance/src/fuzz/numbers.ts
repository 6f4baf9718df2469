import type { Random } from "./random.js";

/** Spellings of numbers on which parsers differ; the last ones are no JSON. */
const SPELLINGS = [
  ...[
    "0",
    "-0",
    "1",
    "2",
    "3",
    "-1",
    "1.0",
    "1e0",
    "1E3",
    "10e-1",
    "0.1e1",
    "1.5",
    "-0.0",
    "0e5",
    "1e-400",
    "1e400",
    "-1e400",
  ],
  ...[
    "1.0000000000000000001",
    "0.9999999999999999",
    "0.99999999999999999",
    "2.4999999999999999",
    "1e23",
    "0e999999999999",
  ],
  ...["9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740991", "-9007199254740992"],
  ...[
    "9007199254740991.4",
    "9007199254740991.5",
    "9007199254740990.5",
    "9.007199254740991e15",
    "900719925474099100e-2",
  ],
  ...["18446744073709551616", "1e19", "4294967296", "2147483648", "1e999999999999", "1e-999999999999", "5".repeat(400)],
  ...["01", "+1", ".5", "1.", "1e", "0x1", "1_000", "NaN", "Infinity", "-", "1.e1", "--1", "1e+", "\u0661"],
] as const;

/** The text of a number, in one of its spellings, rarely one that is no JSON. */
export function makeNumber(random: Random): string {
  if (!random.oneIn(3)) return random.pick(SPELLINGS);
  const digits = (most: number): string => random.list(random.between(1, most), () => random.below(10)).join("");
  const sign = random.oneIn(4) ? "-" : "";
  const fraction = random.oneIn(2) ? `.${digits(18)}` : "";
  const exponent = random.oneIn(2) ? `${random.pick(["e", "E"])}${random.pick(["", "+", "-"])}${digits(2)}` : "";
  return `${sign}${digits(18).replace(/^0+(?=\d)/, "")}${fraction}${exponent}`;
}
