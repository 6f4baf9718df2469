/** What a Pub/Sub message may hold, by the service's documentation. */
export const PUBSUB_LIMITS = {
  /** The service that the figures belong to. */
  server: "Google Cloud Pub/Sub",
  /** Default limit of data, attribute names and values, and ordering key, in bytes. */
  maxBytes: 10_000_000,
  /** Most bytes of an attribute's value. */
  attributeValueBytes: 1024,
  /** Most bytes of an ordering key. */
  orderingKeyBytes: 1024,
} as const;
