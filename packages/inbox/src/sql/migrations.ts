import { createHash } from "node:crypto";
import { type MigrationSet, quoteText } from "@sinkwire/postgres";
import { claim } from "./claim.js";
import { commit } from "./commit.js";
import { keys } from "./keys.js";
import { rows } from "./rows.js";
import { streams } from "./streams.js";
import { tables } from "./tables.js";

/**
 * The channel of a schema's wake-ups: a name of fixed length, whatever the schema's is.
 *
 * @param schema - quoted
 */
export function wakeChannel(schema: string): string {
  return `sinkwire_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
}

const channel = (s: string): string => `
CREATE FUNCTION ${s}.channel() RETURNS text LANGUAGE sql IMMUTABLE AS ${quoteText(`SELECT ${quoteText(wakeChannel(s))}`)};
`;

/** The inbox's schema. Released migrations stay as they are; functions are replaced by later ones. */
export const INBOX_SCHEMA: MigrationSet = {
  component: "inbox",
  migrations: [
    {
      name: "streams, groups, ranges, keys and rows",
      sql: (s) => [tables, channel, streams, claim, keys, commit, rows].map((part) => part(s)).join("\n"),
    },
  ],
};
