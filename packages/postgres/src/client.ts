/** Rows of one statement. */
export interface SqlResult {
  // What a row holds is up to the statement: `pg` and PGlite both type it so.
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** What is used of a connection: a `Client` of `pg` is one. */
export interface SqlClient {
  /**
   * Runs one statement; without values, as many as the text holds.
   *
   * @param text - SQL, with `$1` … for the values
   * @param values - text, numbers, booleans, bytes or null
   */
  query(text: string, values?: unknown[]): Promise<SqlResult>;
}

/** A connection that was taken from a pool. */
export interface PooledClient extends SqlClient {
  /**
   * Gives it back.
   *
   * @param broken - true closes it instead
   */
  release(broken?: boolean): void;
}

/** What is used of a pool: a `Pool` of `pg` is one, and so is `openPglite`. */
export interface SqlPool extends SqlClient {
  connect(): Promise<PooledClient>;
}
