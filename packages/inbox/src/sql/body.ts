import { quoteText } from "@sinkwire/postgres";

/** A function's body as a literal: dollar quotes could meet a schema whose name holds them. */
export const body = (text: string): string => quoteText(`\n${text.trim()}\n`);

/** What a `SELECT` of messages gives to a handler's side, from `m` of the log. Ids are text: clients differ in big numbers. */
export const MESSAGE =
  "m.id::text, m.message_key, m.concurrency, m.compacted, m.payload, extract(epoch FROM m.created)::float8 * 1000";

/** The columns of {@link MESSAGE}, for `RETURNS TABLE`. */
export const MESSAGE_COLUMNS =
  "id text, message_key text, concurrency text, compacted boolean, payload bytea, created_ms float8";
