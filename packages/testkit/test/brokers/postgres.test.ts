import { Client } from "pg";
import { describeLife } from "./life.js";

async function using<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

describeLife("postgres", {
  version: /^PostgreSQL \d+\.\d+$/,
  talk: {
    write: (url, text) =>
      using(url, async (client) => {
        await client.query("CREATE TABLE IF NOT EXISTS life (id bigserial, text text)");
        await client.query("INSERT INTO life (text) VALUES ($1)", [text]);
      }),
    read: (url) =>
      using(url, async (client) => {
        const oldest = "DELETE FROM life WHERE id = (SELECT min(id) FROM life) RETURNING text";
        const { rows } = await client.query<{ text: string }>(oldest);
        const [row] = rows;
        if (row === undefined) throw new Error("no row");
        return row.text;
      }),
  },
});
