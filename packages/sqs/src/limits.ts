/** What an SQS message may hold, by the service's documentation of 2025. */
export const SQS_LIMITS = {
  /** The service that the figures belong to. */
  server: "Amazon SQS, since August 2025",
  /** Default limit of the body plus names, types and values of the attributes, in bytes. */
  maxBytes: 1_048_576,
  /** Most attributes of a message. */
  attributes: 10,
  /** Most attributes that can be reserved for others: the first five of ours always go. */
  reservedAttributes: 5,
  /** Most characters of a group id and of a deduplication id. */
  idCharacters: 128,
  /** Longest time that a message can be hidden, counted from its receipt, in milliseconds: twelve hours. */
  visibilityMs: 43_200_000,
  /** Longest wait of a poll, in milliseconds. */
  waitMs: 20_000,
  /** Most messages of one request: a poll, or a deletion. */
  batchMessages: 10,
} as const;
