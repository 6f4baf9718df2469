import { builtinModules } from "node:module";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { ROOT } from "../src/checks/workspace.js";

/** The budget of the whole core for a browser: minified, gzipped. */
const MAX_GZIPPED_BYTES = 12_288;

/** Bundles all of `@sinkwire/message` as an application for that place does; `imports` is what is left to load. */
async function bundle(place: string): Promise<{ text: string; imports: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: 'export * from "@sinkwire/message";', resolveDir: `${ROOT}/packages/testkit` },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    conditions: [place, "import"],
    external: ["node:*", ...builtinModules],
    write: false,
    metafile: true,
  });
  return {
    text: outputFiles.map(({ text }) => text).join(""),
    imports: Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)),
  };
}

test("the build for browsers is within its budget", async () => {
  const bytes = gzipSync((await bundle("browser")).text, { level: 9 }).length;
  console.log(
    `note: @sinkwire/message for browsers takes ${bytes} of ${MAX_GZIPPED_BYTES} bytes, minified and gzipped`,
  );
  expect(bytes).toBeLessThanOrEqual(MAX_GZIPPED_BYTES);
});

test.for(["browser", "worker", "workerd", "edge-light"])("a bundle for %s needs no module of Node", async (place) => {
  const { text, imports } = await bundle(place);
  expect(imports).toEqual([]);
  expect(text).not.toMatch(/node:|\bBuffer\b/);
});

test("a bundle for Node does need some, so the test above can fail", async () => {
  expect((await bundle("node")).imports.map((path) => path.replace("node:", ""))).toContain("crypto");
});
