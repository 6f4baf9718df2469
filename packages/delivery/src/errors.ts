import { SinkwireError } from "@sinkwire/message";

/** The four names of metadata that say which hook a message is, as the message's own fields. */
export type IdentityField = "id" | "source_id" | "tenant_id" | "idempotency_key";

/** Metadata that names another hook than the message beside it. Permanent: the same record never matches. */
export class MetadataMismatchError extends SinkwireError {
  declare readonly code: "metadata_mismatch";
  declare readonly field: IdentityField;
  constructor(field: IdentityField, message: string) {
    super("metadata_mismatch", `${field}: ${message}`, { field });
  }
}
