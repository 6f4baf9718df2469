import { describe, expect, test } from "vitest";
import { createIterations, type Iteration } from "../../src/adapter/index.js";

/** A reading that goes on until it is let go, and tells what it was given. */
function reading() {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let given: Iteration | undefined;
  const read = (iteration: Iteration): Promise<void> => {
    given = iteration;
    return released;
  };
  return { read, release, iteration: () => given as Iteration };
}

describe("iterations", () => {
  test("an iteration ends with its signal, and the next one does not", () => {
    const iterations = createIterations();
    const [first, second] = [reading(), reading()];
    const controller = new AbortController();
    iterations.start({ signal: controller.signal }, first.read);
    controller.abort();
    expect(first.iteration().ended.aborted).toBe(true);
    iterations.start(undefined, second.read);
    expect(second.iteration().ended.aborted).toBe(false);
  });

  test("a stop ends the iteration and waits for its reading", async () => {
    const iterations = createIterations();
    const one = reading();
    const queue = iterations.start({}, one.read);
    let isStopped = false;
    const stopping = iterations.stop().then(() => {
      isStopped = true;
    });
    expect(one.iteration().ended.aborted).toBe(true);
    expect(await queue[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
    expect(isStopped).toBe(false);
    one.release();
    await stopping;
  });

  test("what an earlier iteration gives back waits for its own reading, not for that of a later one", async () => {
    const iterations = createIterations();
    const [first, second] = [reading(), reading()];
    iterations.start({}, first.read);
    iterations.start({}, second.read);
    first.release();
    await first.iteration().stopped();
    expect(second.iteration().ended.aborted).toBe(false);
  });
});
