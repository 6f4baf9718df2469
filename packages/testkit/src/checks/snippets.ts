/** A fenced `ts` block of a page. */
export interface Snippet {
  /** The page's path, as it was given. */
  readonly page: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  readonly code: string;
  /** Why it cannot run on its own, as the comment `<!-- not run: … -->` above it says; null when it runs. */
  readonly notRun: string | null;
}

const REASON = /^<!-- not run: (.*\S) -->$/;

/**
 * Finds the fenced `ts` blocks of a Markdown page.
 *
 * @param page - its path, carried into the result
 * @param markdown - its text
 * @returns the blocks in order; an unclosed block runs to the end of the page
 */
export function findSnippets(page: string, markdown: string): Snippet[] {
  const lines = markdown.split("\n");
  const snippets: Snippet[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] !== "```ts") continue;
    let above = i - 1;
    while (above >= 0 && lines[above] === "") above--;
    const end = lines.indexOf("```", i + 1);
    const code = lines.slice(i + 1, end === -1 ? lines.length : end).join("\n");
    snippets.push({ page, line: i + 1, code, notRun: REASON.exec(lines[above] ?? "")?.[1] ?? null });
    if (end === -1) break;
    i = end;
  }
  return snippets;
}
