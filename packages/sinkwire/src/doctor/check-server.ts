import { Unreachable } from "../io/exit.js";
import type { Chosen } from "../transports/index.js";
import type { Finding } from "./finding.js";

/** Clocks may differ by this, in milliseconds, before delays and retention are visibly off. */
const CLOCK_LIMIT_MS = 5_000;

/** Whether a server answers, what it is, whether what the address names is there, and how far its clock is off. */
export async function checkServer({ entry, address }: Chosen): Promise<Finding[]> {
  const subject = address.shown;
  try {
    const before = Date.now();
    const { server, clockMs, fault } = await (await entry.load()).probe(address);
    const middle = (before + Date.now()) / 2;
    const findings: Finding[] = [
      {
        ...{
          status: fault === null ? "pass" : "fail",
          subject,
          found: fault === null ? server : `${server}; ${fault}`,
        },
        advice: fault === null ? null : "make it, or mend the URL: it is never made by a publish",
      },
    ];
    if (clockMs !== null) findings.push(checkClock(subject, Math.round(clockMs - middle)));
    return findings;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return [{ status: "fail", subject, found: error.message, advice: "start the server, or mend the URL" }];
  }
}

function checkClock(subject: string, differenceMs: number): Finding {
  const good = Math.abs(differenceMs) <= CLOCK_LIMIT_MS;
  const how = differenceMs >= 0 ? "ahead of" : "behind";
  return {
    status: good ? "pass" : "warn",
    subject: `clock of ${subject}`,
    found: `${Math.abs(differenceMs)} ms ${how} this one`,
    advice: good ? null : "set both by NTP: times of receipt, delays and claim ids depend on them",
  };
}
