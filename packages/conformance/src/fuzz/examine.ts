import type { Reply } from "../exchange.js";
import type { ErrorCode } from "../load-error-codes.js";
import { describeDifference } from "../outcome.js";
import type { RunnerRequest } from "../take-turn.js";
import type { Json, JsonObject, Outcome } from "../types.js";
import { type FollowUp, followUpsOf, problemOf } from "./invariants.js";
import type { Panel } from "./panel.js";

/** What is wrong with an input's answers. */
export interface Finding {
  readonly operation: string;
  readonly input: JsonObject;
  /** What is wrong, in words. */
  readonly detail: string;
  /** The same for findings that are the same fault, as far as one can tell. */
  readonly signature: string;
  /** What each implementation answered. */
  readonly answers: Readonly<Record<string, Json>>;
}

/** What came of a batch. */
export interface Examined {
  /** By request id. */
  readonly findings: ReadonlyMap<string, Finding>;
  /** The first implementation's verdicts, by request id. */
  readonly verdicts: ReadonlyMap<string, "accepted" | "refused" | "failed">;
  /** Requests that were asked besides. */
  readonly followUps: number;
}

/**
 * Puts requests to every implementation of a panel at once, compares their answers and holds the first one's against the
 * invariants, the follow-ups included.
 */
export async function examine(requests: readonly RunnerRequest[], panel: Panel): Promise<Examined> {
  const findings = new Map<string, Finding>();
  const verdicts = new Map<string, "accepted" | "refused" | "failed">();
  const raised: { readonly source: RunnerRequest; readonly request: RunnerRequest; readonly followUp: FollowUp }[] = [];

  for (const { request, answers } of await panel.ask(requests)) {
    const finding = compare(request, answers, panel);
    if (finding !== null) findings.set(request.id, finding);
    const [first] = answers.values();
    verdicts.set(request.id, first?.kind === "ok" ? "accepted" : first?.kind === "error" ? "refused" : "failed");
    if (first?.kind !== "ok" || finding !== null) continue;
    for (const [index, followUp] of followUpsOf(request.operation, request.input, first.ok).entries()) {
      const { operation, input } = followUp;
      if (panel.suiteOf.has(operation)) {
        raised.push({ source: request, request: { id: `${request.id}/${index}`, operation, input }, followUp });
      }
    }
  }

  const byId = new Map(raised.map((one) => [one.request.id, one]));
  const followUpRequests = raised.map(({ request }) => request);
  for (const { request, answers } of followUpRequests.length === 0 ? [] : await panel.ask(followUpRequests)) {
    const one = byId.get(request.id);
    if (one === undefined || findings.has(one.source.id)) continue;
    const compared = compare(request, answers, panel);
    const [first] = answers.values();
    const outcome = first === undefined ? null : outcomeOf(first);
    const problem = compared === null && outcome !== null ? one.followUp.judge(outcome) : null;
    // A difference belongs to the follow-up, whose input shows it alone; a broken promise to the input that gave it.
    if (compared !== null) findings.set(one.source.id, compared);
    else if (problem !== null) findings.set(one.source.id, findingOf(one.source, problem, answers));
  }
  return { findings, verdicts, followUps: raised.length };
}

function compare(request: RunnerRequest, answers: ReadonlyMap<string, Reply>, { codes }: Panel): Finding | null {
  let first: { readonly name: string; readonly outcome: Outcome } | null = null;
  for (const [name, reply] of answers) {
    const outcome = outcomeOf(reply);
    if (outcome === null) return findingOf(request, `${name}: ${failureOf(reply)}`, answers);
    if (first === null) {
      first = { name, outcome };
      const problem =
        outcome.error === undefined
          ? problemOf(request.operation, request.input, outcome.ok)
          : problemOfError(request.operation, outcome.error, codes);
      if (problem !== null) return findingOf(request, `${name}: ${problem}`, answers);
      continue;
    }
    const difference = describeDifference(first.outcome, outcome);
    if (difference !== null) return findingOf(request, `${name} differs from ${first.name}: ${difference}`, answers);
  }
  return null;
}

function outcomeOf(reply: Reply): Outcome | null {
  if (reply.kind === "ok") return { ok: reply.ok };
  if (reply.kind !== "error") return null;
  const { code, field, retryable } = reply.error;
  return { error: { code, field, retryable } };
}

function failureOf(reply: Reply): string {
  return "detail" in reply ? `${reply.kind}: ${reply.detail}` : reply.kind;
}

function problemOfError(
  operation: string,
  error: NonNullable<Outcome["error"]>,
  codes: ReadonlyMap<string, ErrorCode>,
): string | null {
  const entry = codes.get(error.code);
  if (entry === undefined) return `${error.code} is no error code`;
  if (!entry.operations.includes(operation)) return `${operation} cannot give ${error.code}`;
  if (error.retryable !== entry.retryable) return `${error.code} carries the wrong retryable`;
  return (entry.field === null) === (error.field === null) ? null : `${error.code} carries the wrong field`;
}

function findingOf(request: RunnerRequest, detail: string, answers: ReadonlyMap<string, Reply>): Finding {
  const { operation, input } = request;
  const shown = [...answers].map(([name, reply]): [string, Json] => [name, showReply(reply)]);
  return {
    operation,
    input,
    detail,
    signature: signatureOf(operation, detail, shown),
    answers: Object.fromEntries(shown),
  };
}

function showReply(reply: Reply): Json {
  return (outcomeOf(reply) as Json | null) ?? { failed: failureOf(reply) };
}

/** The errors given and the place of the difference, without values: those change while an input shrinks. */
function signatureOf(operation: string, detail: string, answers: readonly (readonly [string, Json])[]): string {
  const verdicts = answers.map(([name, answer]) => {
    const error = (answer as JsonObject)["error"] as JsonObject | undefined;
    return `${name}=${error === undefined ? Object.keys(answer as JsonObject)[0] : `${error["code"]}/${error["field"]}`}`;
  });
  const place = /\b(?:ok|error)(?:\.[a-z_]+)*(?=[.:])/.exec(detail)?.[0] ?? detail.split(":", 2).join(":");
  return [operation, ...verdicts, place].join(" ");
}
