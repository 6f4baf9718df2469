import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { findSnippets } from "../../src/checks/snippets.js";
import { ROOT } from "../../src/checks/workspace.js";

/**
 * Runs the snippets of a page that need a server, in order, against one that runs.
 *
 * @param page - its path in the repository
 * @param server - the URL that the page shows, and the one to take instead
 * @param endsAfter - a snippet that would go on is told to stop (SIGTERM) when it has printed this. Default: none would
 */
export async function runSnippets(
  page: string,
  server: { readonly shown: string; readonly url: string },
  endsAfter?: string,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(ROOT, "packages", "testkit", ".snippets-"));
  try {
    const printed: string[] = [];
    for (const { code, notRun, line } of findSnippets(page, readFileSync(join(ROOT, page), "utf8"))) {
      if (notRun === null) continue;
      const file = join(folder, `${line}.mjs`);
      const source = code.replaceAll(server.shown, server.url);
      writeFileSync(file, (await transform(source, { loader: "ts", format: "esm", target: "node20" })).code);
      const running = promisify(execFile)(process.execPath, [file], { cwd: folder, timeout: 60_000 });
      running.child.stdout?.on("data", (text: string) => {
        if (endsAfter !== undefined && text.includes(endsAfter)) running.child.kill("SIGTERM");
      });
      printed.push((await running).stdout);
    }
    return printed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
