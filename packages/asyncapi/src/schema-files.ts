/** The files of `schemas/` that the package carries in its tarball, put there by its build. */
export const SCHEMA_FILES = {
  /** The sink message. */
  message: "sink-message.v1.schema.json",
  /** What brokers carry beside it: one schema for headers and attributes. */
  metadata: "metadata.v1.schema.json",
  /** A claim reference, as the message holds it. */
  claimRef: "claim-ref.v1.schema.json",
  /** The list of error codes. */
  errorCodes: "error-codes.schema.json",
} as const;
