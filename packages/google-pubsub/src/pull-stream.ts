import type { PubsubDelivered, PubsubPullRequest, PubsubSubscriberClient } from "./client.js";

/** How often a stream is written to, in milliseconds: the service closes one that nobody writes to. The client's own. */
const KEEP_ALIVE_MS = 30_000;

/** How long a stream that is ended may take to end, in milliseconds, before it is cut. */
const END_MS = 1_000;

/** How a stream is read. */
export interface PullStreamOptions {
  /** Gets the messages of one answer, in order; nothing more is read until it resolves. */
  readonly receive: (delivered: readonly PubsubDelivered[]) => Promise<void>;
  /** Ends the stream: what the service has sent by then is still received. */
  readonly signal: AbortSignal;
}

/**
 * Reads one stream to its end.
 *
 * @param client - whose stream
 * @param request - what is asked for
 * @throws the client's error
 */
export async function readPullStream(
  client: PubsubSubscriberClient,
  request: PubsubPullRequest & { readonly subscription: string },
  { receive, signal }: PullStreamOptions,
): Promise<void> {
  const headers = { "x-goog-request-params": `subscription=${encodeURIComponent(request.subscription)}` };
  const stream = client.streamingPull({ retry: null, otherArgs: { headers } });
  // What it says after the loop below has ended.
  stream.on("error", () => {});
  const beat = setInterval(() => stream.write({}), KEEP_ALIVE_MS);
  let cut: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearInterval(beat);
    stream.end();
    cut = setTimeout(() => stream.cancel(), END_MS);
  };
  try {
    stream.write(request);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    for await (const { receivedMessages } of stream) await receive(receivedMessages ?? []);
  } finally {
    clearInterval(beat);
    clearTimeout(cut);
    signal.removeEventListener("abort", end);
  }
}
