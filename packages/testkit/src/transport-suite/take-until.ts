import { type Consumer, type MessageDelivery, type ServeOptions, serve } from "@sinkwire/delivery";

/**
 * Serves a consumer until something is true of what it handled.
 *
 * @param handler - handles a message; when it returns true, the serving stops after it
 * @param options - those of `serve`; `signal` stops it as well
 */
export async function takeUntil(
  consumer: Consumer,
  handler: (delivery: MessageDelivery) => boolean | Promise<boolean>,
  options: ServeOptions = {},
): Promise<void> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const handle = async (delivery: MessageDelivery): Promise<void> => {
    if (await handler(delivery)) stop.abort();
  };
  await serve(consumer, handle, { ...options, signal });
}
