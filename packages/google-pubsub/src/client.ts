/** What is passed to every call: the client would otherwise retry, and publish in bundles of its own. */
export interface PubsubCallOptions {
  timeout: number;
  retry: null;
  isBundling?: boolean;
}

/** What is sent of a message. */
export interface PubsubOutgoingMessage {
  data: Uint8Array;
  attributes: { [name: string]: string };
  orderingKey?: string;
}

/** What is used of a `v1.PublisherClient` of `@google-cloud/pubsub`. */
export interface PubsubPublisherClient {
  initialize(): Promise<unknown>;
  publish(
    request: { topic: string; messages: PubsubOutgoingMessage[] },
    options: PubsubCallOptions,
  ): Promise<readonly [{ readonly messageIds?: readonly string[] | null }, ...unknown[]]>;
}

/** What is used of a `v1.SubscriberClient` of `@google-cloud/pubsub`. */
export interface PubsubSubscriberClient {
  initialize(): Promise<unknown>;
  streamingPull(options: { retry: null; otherArgs: { headers: { [name: string]: string } } }): PubsubPullStream;
  acknowledge(request: { subscription: string; ackIds: string[] }, options: PubsubCallOptions): Promise<unknown>;
  modifyAckDeadline(
    request: { subscription: string; ackIds: string[]; ackDeadlineSeconds: number },
    options: PubsubCallOptions,
  ): Promise<unknown>;
}

/** What is used of a stream of deliveries. */
export interface PubsubPullStream extends AsyncIterable<PubsubPullResponse> {
  write(request: PubsubPullRequest): unknown;
  end(): unknown;
  cancel(): void;
  on(event: "error", listener: () => void): unknown;
}

/** What a stream is asked for; an empty one keeps it open. */
export interface PubsubPullRequest {
  subscription?: string;
  streamAckDeadlineSeconds?: number;
  maxOutstandingMessages?: number;
  maxOutstandingBytes?: number;
  clientId?: string;
}

/** What a stream gives. */
export interface PubsubPullResponse {
  readonly receivedMessages?: readonly PubsubDelivered[] | null | undefined;
}

/** A delivered message. */
export interface PubsubDelivered {
  readonly ackId?: string | null | undefined;
  /** Only counted for a subscription with a dead-letter policy; else 0. */
  readonly deliveryAttempt?: number | null | undefined;
  readonly message?: {
    readonly data?: Uint8Array | string | null | undefined;
    readonly attributes?: Readonly<Record<string, string>> | null | undefined;
    readonly orderingKey?: string | null | undefined;
  } | null;
}

/** How long one unary call of a consumer may take, in milliseconds. */
export const CALL_TIMEOUT_MS = 10_000;
