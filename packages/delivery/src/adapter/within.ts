/** How long a stop waits for the broker's answer to each of its requests, in milliseconds. */
export const STOP_LIMIT_MS = 5_000;

/**
 * Waits until something settled, however, or a time has passed.
 *
 * @param work - what may hang: a server that stands still answers nothing, and some clients never tell of a lost connection
 * @param limitMs - in milliseconds
 */
export async function within(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work.catch(() => {}), limit]);
  clearTimeout(timer);
}
