/** What a stream entry or a published payload may hold, by the documentation of Redis 7. */
export const REDIS_LIMITS = {
  /** The server that the figures belong to. */
  server: "Redis 7",
  /** Default limit of the payload, in bytes: far under the server's `proto-max-bulk-len` of 512 MiB. */
  maxBytes: 1_048_576,
} as const;
