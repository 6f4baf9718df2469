import type { Reply } from "./exchange.js";
import { describeDifference } from "./outcome.js";
import { shorten } from "./shorten.js";
import type { CaseFailure, FailureReason, Json, LoadedCase } from "./types.js";

/** Compares a reply with what its case expects; null when the case passes. */
export function judge(one: LoadedCase, reply: Reply | undefined): CaseFailure | null {
  const verdict = verdictOn(one, reply);
  if (verdict === null) return null;
  return {
    id: one.id,
    suite: one.suite,
    operation: one.operation,
    rule: one.rule,
    reason: verdict.reason,
    detail: verdict.detail,
    input: shorten(one.input),
    expected: shorten(one.expect as Json),
    got: verdict.got,
  };
}

interface Verdict {
  readonly reason: FailureReason;
  readonly detail: string;
  readonly got: string | null;
}

function verdictOn(one: LoadedCase, reply: Reply | undefined): Verdict | null {
  switch (reply?.kind) {
    case undefined:
      return { reason: "not_judged", detail: "never asked", got: null };
    case "crash":
    case "no_answer":
    case "not_judged":
      return { reason: reply.kind, detail: reply.detail, got: null };
    case "not_an_answer":
      return { reason: reply.kind, detail: "the runner's line is not an answer", got: reply.line };
    case "answered_twice":
      return { reason: "answered_twice", detail: "the runner answered this case more than once", got: null };
    case "unsupported":
      return { reason: "unsupported", detail: `${one.operation} is unsupported in a suite that is claimed`, got: null };
    case "ok":
    case "error": {
      const outcome = reply.kind === "ok" ? { ok: reply.ok } : { error: reply.error };
      const detail = describeDifference(one.expect, outcome);
      return detail === null ? null : { reason: "mismatch", detail, got: shorten(outcome as Json) };
    }
  }
}
