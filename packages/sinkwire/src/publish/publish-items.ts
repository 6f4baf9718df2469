import type { PublishError, Publisher, PublishOutcome, Receipt } from "@sinkwire/delivery";
import { isSinkwireError } from "@sinkwire/message";
import { EXIT, type ExitCode } from "../io/exit.js";
import { createProgress } from "../io/progress.js";
import { printable, shown } from "../io/style.js";
import type { Shell } from "../shell.js";
import type { Item } from "./read-items.js";

/** How long what is unconfirmed may take once the command is to stop. */
const GRACE_MS = 5_000;

/** How {@link publishItems} goes about it. */
export interface PublishFlags {
  readonly json: boolean;
  /** How many may be unconfirmed at once. */
  readonly inFlight: number;
}

/** Why a message was not published, or may not have been. */
interface Failure {
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
  readonly retryable: boolean;
  readonly outcome: PublishOutcome;
  /** What the server asked to wait, in milliseconds; null when it asked for nothing. */
  readonly retry_after_ms: number | null;
}

/**
 * Publishes in order, and prints a receipt or a failure for each, in the same order.
 *
 * @returns 0; 1 when some were refused for good; 3 when one failed that may succeed later: nothing is read after it
 * @throws what reading throws, and the reason of the shell's signal, when all that was begun has been told
 */
export async function publishItems(
  items: Iterable<Item> | AsyncIterable<Item>,
  publisher: Publisher,
  { json, inFlight }: PublishFlags,
  shell: Shell,
): Promise<ExitCode> {
  const { out, err, errStyle } = shell;
  const progress = createProgress(err, out.isTerminal, null);
  const counts = { published: 0, refused: 0 };
  const unconfirmed = new Set<Promise<unknown>>();
  let stopped: Item | null = null;
  let told: Promise<void> = Promise.resolve();

  const tell = async (item: Item, result: Receipt | Failure): Promise<void> => {
    const { line, id } = item;
    const failed = "code" in result;
    progress.add(0, failed);
    if (failed) {
      counts.refused++;
      if (result.retryable) stopped ??= item;
      progress.clear();
      const words = `${line === null ? "" : `line ${line}: `}${id === null ? "" : `${shown(id)}: `}${failureText(result)}`;
      err.write(`${errStyle("red", "✗")} ${printable(words)}\n`);
    } else counts.published++;
    if (json) await out.line(JSON.stringify(failed ? { line, id, error: result } : { line, id, receipt: result }));
    else if (!failed) await out.line(receiptText(item, result));
    if (unconfirmed.size === 0) await out.flush();
  };

  const publish = (item: Item, signal: AbortSignal): void => {
    const sent = send(item, publisher, signal).finally(() => unconfirmed.delete(sent));
    unconfirmed.add(sent);
    told = told.then(async () => tell(item, await sent));
    told.catch(() => {}); // it is waited for at the end
  };

  const grace = graceOf(shell.signal);
  try {
    for await (const item of items) {
      publish(item, grace.signal);
      while (unconfirmed.size >= inFlight) await Promise.race(unconfirmed);
      if (inFlight === 1) await told;
      shell.signal.throwIfAborted();
      if (stopped !== null) break;
    }
  } finally {
    await told;
    grace.release();
    progress.clear();
    await out.flush();
    if (!json) err.write(`${counts.published} published, ${counts.refused} not\n`);
  }
  if (stopped === null) return counts.refused === 0 ? EXIT.ok : EXIT.refused;
  const { line } = stopped as Item;
  if (line !== null)
    err.write(`  → lines before ${line} are done; to go on with it: tail -n +${line} FILE | sinkwire publish …\n`);
  return EXIT.unavailable;
}

async function send({ message }: Item, publisher: Publisher, signal: AbortSignal): Promise<Receipt | Failure> {
  if ("code" in message) return { ...message, outcome: "not_published", retry_after_ms: null };
  try {
    return await publisher.publish(message, { signal });
  } catch (error) {
    if (!isSinkwireError(error)) throw error;
    const { code, field, message, retryable } = error;
    const { outcome = "not_published", retryAfterMs = null } = error as Partial<PublishError>;
    return { code, field, message, retryable, outcome, retry_after_ms: retryAfterMs };
  }
}

/** A signal that is aborted some time after another, so that what was written can still be confirmed. */
function graceOf(signal: AbortSignal): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(() => controller.abort(signal.reason), GRACE_MS);
  };
  signal.addEventListener("abort", start, { once: true });
  return {
    signal: controller.signal,
    release() {
      signal.removeEventListener("abort", start);
      clearTimeout(timer);
    },
  };
}

function receiptText({ id }: Item, { address, id: receipt, duplicate }: Receipt): string {
  const where = receipt === "" ? address : `${address} ${receipt}`;
  return `${shown(id ?? "")}  ${shown(where)}${duplicate ? "  (it was there already)" : ""}`;
}

function failureText({ code, message, outcome }: Failure): string {
  return `${code}: ${message} (${outcome === "unknown" ? "outcome unknown" : "not published"})`;
}
