import type { SqlClient, SqlPool } from "./client.js";
import { StoreError, sqlState } from "./errors.js";
import { quoteSchema, quoteText } from "./identifier.js";
import { withClient } from "./with-client.js";

/** A step of a schema. What it was once released as it stays: the next change is the next number. */
export interface Migration {
  /** In words, as `the tables of a stream`. */
  readonly name: string;
  /**
   * Statements for a schema.
   *
   * @param schema - its name, quoted already
   */
  sql(schema: string): string;
}

/** The schema of one package: its migrations, numbered from 1 in this order. */
export interface MigrationSet {
  /** Keeps the numbers of packages that share a schema apart. */
  readonly component: string;
  readonly migrations: readonly Migration[];
}

/** Where the tables are. */
export interface SchemaOptions {
  /** The schema's name, any that PostgreSQL takes. */
  readonly schema: string;
}

const UNDEFINED_TABLE = "42P01";

/**
 * A migration as a script that can be run by hand: one transaction, that refuses to run twice or out of turn.
 *
 * @param set - the package's migrations
 * @param options - `number`: which, from 1; `schema`
 * @returns SQL text
 * @throws InvalidHookError (`schema`)
 */
export function migrationScript(set: MigrationSet, options: SchemaOptions & { readonly number: number }): string {
  const { number } = options;
  const schema = quoteSchema(options.schema);
  const migration = set.migrations[number - 1];
  if (migration === undefined) throw new RangeError(`${set.component} has no migration ${number}`);
  const component = quoteText(set.component);
  const turn = `${set.component}: migration ${number} does not follow the one that was made last`;
  const check = `BEGIN
  IF ${number - 1} <> (SELECT coalesce(max(number), 0) FROM ${schema}.schema_version WHERE component = ${component}) THEN
    RAISE EXCEPTION USING MESSAGE = ${quoteText(turn)};
  END IF;
END`;
  return `-- ${set.component} ${number}: ${migration.name}
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended(${quoteText(`sinkwire migrate ${options.schema}`)}, 0));
CREATE SCHEMA IF NOT EXISTS ${schema};
CREATE TABLE IF NOT EXISTS ${schema}.schema_version (
  component text NOT NULL,
  number integer NOT NULL,
  name text NOT NULL,
  made timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (component, number)
);
DO ${quoteText(check)};
${migration.sql(schema).trim()}
INSERT INTO ${schema}.schema_version (component, number, name)
VALUES (${component}, ${number}, ${quoteText(migration.name)});
COMMIT;
`;
}

/**
 * Makes the migrations that are missing, each in a transaction of its own: killed at any point, it is run again. Several
 * processes may do so at once. Needs a role that may create; what runs afterwards does not.
 *
 * @param pool - where
 * @param set - the package's migrations
 * @param options - `schema`; `upTo`: the last number to make, default all
 * @returns the numbers that this call made
 * @throws StoreError (`schema_too_new`) when the schema is more than one version ahead; the database's own error
 */
export async function migrate(
  pool: SqlPool,
  set: MigrationSet,
  options: SchemaOptions & { readonly upTo?: number },
): Promise<number[]> {
  const last = options.upTo ?? set.migrations.length;
  const made: number[] = [];
  let version = await schemaVersion(pool, set, options);
  refuseNewer(version, set);
  while (version < last) {
    const script = migrationScript(set, { schema: options.schema, number: version + 1 });
    try {
      await withClient(pool, (client) => client.query(script));
      made.push(version + 1);
    } catch (error) {
      // Another process that made it first is no failure.
      if ((await schemaVersion(pool, set, options)) <= version) throw error;
    }
    version = await schemaVersion(pool, set, options);
  }
  return made;
}

/**
 * Tells which migration was made last.
 *
 * @returns its number; 0 when there is none
 * @throws InvalidHookError (`schema`); the database's own error
 */
export async function schemaVersion(client: SqlClient, set: MigrationSet, options: SchemaOptions): Promise<number> {
  const table = `${quoteSchema(options.schema)}.schema_version`;
  try {
    const text = `SELECT coalesce(max(number), 0) AS number FROM ${table} WHERE component = $1`;
    const { rows } = await client.query(text, [set.component]);
    return Number(rows[0]?.["number"]);
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return 0;
    throw error;
  }
}

/**
 * Checks that this package can work with a schema: its own version or the next one, which only adds to it.
 *
 * @throws StoreError (`schema_too_old`, `schema_too_new`); the database's own error
 */
export async function checkSchema(client: SqlClient, set: MigrationSet, options: SchemaOptions): Promise<void> {
  const version = await schemaVersion(client, set, options);
  const needed = set.migrations.length;
  if (version < needed) {
    throw new StoreError("schema_too_old", `${set.component} needs schema version ${needed}, and it is ${version}`);
  }
  refuseNewer(version, set);
}

function refuseNewer(version: number, set: MigrationSet): void {
  const newest = set.migrations.length + 1;
  if (version <= newest) return;
  throw new StoreError("schema_too_new", `${set.component} works up to schema version ${newest}, and it is ${version}`);
}
