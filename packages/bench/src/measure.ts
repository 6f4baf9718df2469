/** One side of a comparison: what is timed, over and over. Its result is kept, so that nothing is optimised away. */
export type Side = () => number;

/** Median time of each side, in nanoseconds a call. */
export type Medians<Name extends string> = Record<Name, number>;

/** How long and how often to measure. */
export interface MeasureOptions {
  /** Rounds; in each one every side runs once, so that what disturbs the machine disturbs all. Default 160. */
  readonly rounds?: number;
  /** About how long one side runs in one round. Default 1 ms, so that most slices are not preempted. */
  readonly sliceMs?: number;
}

/** Long enough for V8 to optimise, deoptimise and optimise again. */
const WARM_UP_MS = 250;

let kept = 0;

/**
 * Measures sides interleaved in one process: every round times each side for about `sliceMs`, and the median over the
 * rounds counts. Every side is warm before the first round, and the first quarter of the rounds is thrown away.
 *
 * @param sides - what to compare
 * @param options - rounds and slice
 * @returns each side's median, nanoseconds a call
 */
export function measure<Name extends string>(sides: Record<Name, Side>, options: MeasureOptions = {}): Medians<Name> {
  const { rounds = 160, sliceMs = 1 } = options;
  const names = Object.keys(sides) as Name[];
  for (const name of names) warmUp(sides[name]);
  const calls = new Map(names.map((name) => [name, callsPerSlice(sides[name], sliceMs)]));
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    names.reverse(); // so that none always runs on what the same other one left to collect
    for (const name of names) {
      const spent = time(sides[name], calls.get(name) ?? 1);
      if (round >= rounds / 4) times.get(name)?.push(spent);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Medians<Name>;
}

/** Runs a side until the engine has compiled it as well as it will. */
function warmUp(side: Side): void {
  const end = performance.now() + WARM_UP_MS;
  while (performance.now() < end) time(side, 10);
}

function callsPerSlice(side: Side, sliceMs: number): number {
  let calls = 1;
  while (time(side, calls) * calls < (sliceMs * 1e6) / 4) calls *= 2;
  return Math.max(1, Math.round((sliceMs * 1e6) / time(side, calls)));
}

function time(side: Side, calls: number): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) kept = (kept + side()) | 0;
  return Number(process.hrtime.bigint() - start) / calls;
}

/** The middle one of some values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
