import { InvalidHookError } from "@sinkwire/message";
import { checkSchema, quoteSchema, type SchemaOptions, type SqlClient, type SqlPool } from "@sinkwire/postgres";
import type { Stream } from "./append.js";
import { INBOX_SCHEMA } from "./sql/migrations.js";

/** How to open a stream. */
export interface StreamOptions extends SchemaOptions {
  /** Whether its messages may declare compaction; what it was made with stays. Default false. */
  readonly compacts?: boolean;
}

/**
 * The stream of a name, made when there is none.
 *
 * @param pool - where
 * @param name - any text without U+0000
 * @param options - `schema`, `compacts`
 * @throws StoreError (`schema_too_old`, `schema_too_new`); InvalidHookError (`stream`); the database's own error
 */
export async function openStream(pool: SqlPool, name: string, options: StreamOptions): Promise<Stream> {
  await checkSchema(pool, INBOX_SCHEMA, options);
  const text = `SELECT id, compacts FROM ${quoteSchema(options.schema)}.open_stream($1, $2)`;
  const { rows } = await pool.query(text, [checkName(name, "stream"), options.compacts ?? false]);
  const [row] = rows;
  return { id: Number(row?.["id"]), compacts: row?.["compacts"] === true };
}

/** How to open a group. */
export interface GroupOptions extends SchemaOptions {
  /** Where a new group starts: before everything that is there, or behind it. Default `start`. */
  readonly from?: "start" | "head";
}

/**
 * The consumer group of a name, made when there is none.
 *
 * @param client - where
 * @param stream - what it reads
 * @param name - any text without U+0000
 * @param options - `schema`, `from`
 * @returns its id
 * @throws InvalidHookError (`group`); the database's own error
 */
export async function openGroup(
  client: SqlClient,
  stream: Stream,
  name: string,
  options: GroupOptions,
): Promise<number> {
  const text = `SELECT ${quoteSchema(options.schema)}.open_group($1, $2, $3) AS id`;
  const { rows } = await client.query(text, [stream.id, checkName(name, "group"), options.from === "head"]);
  return Number(rows[0]?.["id"]);
}

function checkName(name: string, field: string): string {
  if (typeof name === "string" && name !== "" && name.isWellFormed() && !name.includes("\0")) return name;
  throw new InvalidHookError(field, "expected text without U+0000 that is not empty");
}
