import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { isBuiltin } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeDifference, expandUtf16, loadSuite, type Outcome } from "@sinkwire/conformance";
import { build, type Plugin } from "esbuild";
import { type BrowserContext, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumPath } from "../src/checks/places.js";
import { ROOT } from "../src/checks/workspace.js";

const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
/** The suites of the packages that run in a browser. */
const SUITES = ["message", "claim-refs", "packs", "metadata"];
const cases = loadSuite({ casesDir: join(ROOT, "conformance", "cases") }).cases.filter(
  ({ retired, suite }) => retired === undefined && SUITES.includes(suite),
);

/** The dispatch table also names operations of packages for servers: their modules of Node are empty here. */
const withoutNode: Plugin = {
  name: "without-node",
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path }) => (isBuiltin(path) ? { path, namespace: "without-node" } : null));
    build.onLoad({ filter: /.*/, namespace: "without-node" }, () => ({ contents: "module.exports = {};" }));
  },
};

let profile: string;
let server: Server;
let browser: BrowserContext;
let answers: Map<string, Outcome>;

beforeAll(async () => {
  profile = mkdtempSync(join(tmpdir(), "sinkwire-chromium-"));
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, "browser-page.ts")],
    inject: [join(import.meta.dirname, "browser-buffer.ts")],
    bundle: true,
    minify: true,
    platform: "browser",
    plugins: [withoutNode],
    write: false,
  });
  // A page on loopback is a secure context, where the digests of the platform are.
  server = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath() ?? "",
    args: FLAGS,
  });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? "" });
  const requests = JSON.stringify(cases.map(({ operation, input }) => [operation, expandUtf16(input)]));
  const answered = await page.evaluate(
    (text) => (globalThis as unknown as { answerAll(text: string): Promise<string> }).answerAll(text),
    requests,
  );
  const outcomes = JSON.parse(answered) as Outcome[];
  answers = new Map(cases.map(({ id }, i) => [id, outcomes[i] as Outcome]));
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(profile, { recursive: true, force: true });
});

test.for(cases)("$id", ({ id, expect: expected }) => {
  expect(describeDifference(expected, answers.get(id) as Outcome)).toBeNull();
});
