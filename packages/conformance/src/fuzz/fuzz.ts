import { resolve } from "node:path";
import { ConformanceError } from "../errors.js";
import { loadErrorCodes } from "../load-error-codes.js";
import { loadSuite } from "../load-suite.js";
import { locate } from "../locate.js";
import { runSetup } from "../run-setup.js";
import type { Implementation } from "../types.js";
import { collectCorpus } from "./corpus.js";
import { examine } from "./examine.js";
import { inputCheck } from "./input-check.js";
import { makeRequest, wheelOf } from "./make-request.js";
import { Panel, type PanelFault } from "./panel.js";
import { type SavedFinding, saveFinding } from "./save-finding.js";
import { shrink } from "./shrink.js";
import { type FuzzCounts, Tally } from "./tally.js";

/** Batches under way at a time: while the runners of one answer, the other is made and judged. */
const LANES = 2;
/** Inputs of a lane's first batch; later ones follow the speed. */
const FIRST_BATCH = 500;
const MAX_BATCH = 5_000;
/** How long a batch should take, in milliseconds. */
const BATCH_MS = 1_000;
/** Kinds of findings after which a run ends early: somebody has to look at them first. */
const MAX_FINDINGS = 24;
const DEFAULT_DURATION_MS = 10_000;

/** How long, how and with whom to fuzz. */
export interface FuzzOptions {
  /** One: its answers are held against the invariants. More: the others' are held against the first one's besides. */
  readonly implementations: readonly Implementation[];
  /** Ends the run after so many milliseconds, the batches under way apart. Default 10,000 when `inputs` is not given. */
  readonly durationMs?: number | undefined;
  /** Ends the run after so many inputs. */
  readonly inputs?: number | undefined;
  /** The same seed, vectors and implementations give the same inputs. Default: a random one. */
  readonly seed?: number | undefined;
  /** Index of the first input. Default 0. */
  readonly from?: number | undefined;
  /** Vectors to start from. Default as for `loadSuite`. */
  readonly casesDir?: string | undefined;
  /** Where findings are written. Default: the folder of the vectors. */
  readonly outDir?: string | undefined;
  /** Fuzz these operations only. Default: all of the suites that every implementation claims. */
  readonly operations?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each batch with the inputs and findings so far. */
  readonly onProgress?: ((progress: { readonly inputs: number; readonly findings: number }) => void) | undefined;
}

/** What a run did and found. */
export interface FuzzReport {
  readonly seed: number;
  readonly from: number;
  /** Digest of the vectors that inputs were made from. */
  readonly digest: string;
  readonly implementations: readonly string[];
  readonly inputs: number;
  /** Questions that accepted answers raised, on top of the inputs. */
  readonly followUps: number;
  readonly durationMs: number;
  readonly counts: readonly FuzzCounts[];
  /** One of each kind, shrunk and written to its file. */
  readonly findings: readonly SavedFinding[];
  readonly faults: readonly PanelFault[];
}

/**
 * Mutates valid messages and vectors, makes hooks, headers, references and metadata up, and puts them to
 * implementations. Any answer that breaks an invariant or differs from the first implementation's is shrunk and saved.
 *
 * @throws ConformanceError `runner_unavailable` when a runner cannot start, `suite_invalid` when nothing can be fuzzed
 * @throws the signal's reason when it is aborted
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { implementations, signal } = options;
  const suite = loadSuite({ casesDir: options.casesDir });
  const corpus = collectCorpus(suite);
  const { suiteOf } = corpus;
  const claimed = (operation: string): boolean =>
    implementations.every(({ suites }) => suites.includes(suiteOf.get(operation) ?? ""));
  const operations = [...suiteOf.keys()].filter((one) => claimed(one) && (options.operations?.includes(one) ?? true));
  const wheel = wheelOf(corpus, operations);
  if (wheel.length === 0) throw new ConformanceError("suite_invalid", "no operation that every implementation claims");
  const fits = inputCheck(locate({ casesDir: options.casesDir }).schemasDir, suiteOf);
  for (const implementation of implementations) await runSetup(implementation, signal);

  const seed = options.seed ?? Math.floor(Math.random() * 0x1_0000_0000);
  const { from = 0, inputs = Number.POSITIVE_INFINITY } = options;
  const durationMs =
    options.durationMs ?? (options.inputs === undefined ? DEFAULT_DURATION_MS : Number.POSITIVE_INFINITY);
  const codes = new Map(loadErrorCodes().map((entry) => [entry.code, entry]));
  const rows = implementations.map((one) => ({ ...one, path: resolve(one.path) }));
  const panels = Array.from({ length: LANES }, () => new Panel(rows, suiteOf, codes, signal));
  const tally = new Tally();
  const started = performance.now();
  let next = from;
  let batch = FIRST_BATCH;

  async function lane(panel: Panel): Promise<void> {
    for (;;) {
      const leftMs = durationMs - (performance.now() - started);
      const size = Math.min(batch, from + inputs - next);
      if (leftMs <= 0 || size <= 0 || tally.kinds >= MAX_FINDINGS) return;
      const first = next;
      next += size;
      const begun = performance.now();
      const requests = Array.from({ length: size }, (_, i) => makeRequest(seed, first + i, corpus, wheel, fits));
      tally.add(requests, await examine(requests, panel));
      options.onProgress?.({ inputs: tally.inputs, findings: tally.kinds });
      const perMs = size / (performance.now() - begun);
      batch = Math.max(1, Math.min(MAX_BATCH, Math.ceil(perMs * Math.min(BATCH_MS, leftMs / 2))));
    }
  }

  try {
    await Promise.all(panels.map(lane));
    const tookMs = performance.now() - started;
    const findings: SavedFinding[] = [];
    for (const finding of tally.findings) {
      const shrunk = await shrink(finding, panels[0] as Panel, fits);
      findings.push(saveFinding(shrunk, suiteOf.get(shrunk.operation) ?? "", options.outDir ?? suite.casesDir));
    }
    await Promise.all(panels.map((panel) => panel.end()));
    return {
      seed,
      from,
      digest: suite.digest,
      implementations: implementations.map(({ name }) => name),
      inputs: tally.inputs,
      followUps: tally.followUps,
      durationMs: tookMs,
      counts: tally.counts,
      findings,
      faults: panels.flatMap(({ faults }) => faults),
    };
  } finally {
    await Promise.all(panels.map((panel) => panel.close()));
  }
}
