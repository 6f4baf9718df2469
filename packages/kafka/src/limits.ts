/** What a Kafka record may hold. Measured against Apache Kafka 4 with its default `message.max.bytes` of 1,048,588. */
export const KAFKA_LIMITS = {
  /** The server that the figures belong to. */
  server: "Apache Kafka 4",
  /** Default limit of value plus key, in bytes: leaves 48,588 for headers and the batch around them. */
  maxBytes: 1_000_000,
} as const;
