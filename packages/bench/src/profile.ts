import { Session } from "node:inspector/promises";
import type { Side } from "./measure.js";

/** Where the time of one side goes: own time of each function, as a share of all. */
export interface ProfileRow {
  readonly name: string;
  readonly share: number;
}

/** How often a sample is taken, in microseconds. */
const SAMPLE_US = 100;

/**
 * Profiles one side with V8's sampling profiler. A built-in such as JSON.parse counts for the function that calls it.
 *
 * @param side - what to profile; it is warm when the profile starts
 * @param durationMs - how long to run it under the profiler
 * @returns the functions by share, the largest first
 */
export async function profile(side: Side, durationMs: number): Promise<ProfileRow[]> {
  run(side, durationMs / 4);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_US });
  await session.post("Profiler.start");
  run(side, durationMs);
  const { profile: taken } = await session.post("Profiler.stop");
  session.disconnect();

  const nameOf = new Map(taken.nodes.map((node) => [node.id, node.callFrame.functionName || "(anonymous)"]));
  const own = new Map<string, number>();
  for (const [index, id] of (taken.samples ?? []).entries()) {
    const name = nameOf.get(id) ?? "(unknown)";
    own.set(name, (own.get(name) ?? 0) + (taken.timeDeltas?.[index] ?? 0));
  }
  const total = [...own.values()].reduce((sum, time) => sum + time, 0);
  return [...own].map(([name, time]) => ({ name, share: time / total })).sort((a, b) => b.share - a.share);
}

function run(side: Side, durationMs: number): void {
  const end = performance.now() + durationMs;
  while (performance.now() < end) for (let i = 0; i < 1_000; i++) side();
}
