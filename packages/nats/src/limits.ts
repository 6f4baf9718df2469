/** What a NATS message may hold, by the documentation of nats-server 2.11 and its default `max_payload`. */
export const NATS_LIMITS = {
  /** The server that the figures belong to. */
  server: "nats-server 2.11",
  /** Default limit of payload plus header block, in bytes (`max_payload`). */
  maxBytes: 1_048_576,
  /** Bytes of a header block without headers: `NATS/1.0`, and two line ends. */
  headerBlockBytes: 12,
  /** Bytes of a header beside its name and value: colon, space, line end. */
  headerBytes: 4,
} as const;
