// Runs before anything is installed, so it uses nothing but Node: brings pnpm through npx, installs the locked versions
// unless they are there already, and with --build builds every package.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.bootstrap`;

const pnpm = (...args) => {
  const done = spawnSync("npx", ["--yes", "pnpm@12.4.2", ...args], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
};

const manifests = readdirSync(`${root}packages`).map((name) => `packages/${name}/package.json`);
manifests.push("packages/testkit/nodes/package.json");
const wanted = createHash("sha256");
for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...manifests.sort()]) {
  if (existsSync(root + file)) wanted.update(`${file}\0`).update(readFileSync(root + file));
}
const digest = wanted.digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== digest) {
  pnpm("install", "--frozen-lockfile");
  writeFileSync(stamp, digest);
}
if (process.argv.includes("--build")) pnpm("--recursive", "--filter", "./packages/*", "run", "build");
