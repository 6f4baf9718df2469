// Runs before anything is installed, so it uses nothing but Node: brings pnpm through npx and installs the locked
// versions, unless they are there already. `--build [filter…]` then builds the packages that match, by default all.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.bootstrap`;

/** Quiet unless it fails. */
const pnpm = (...args) => {
  const done = spawnSync("npx", ["--yes", "pnpm@12.4.2", ...args], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (done.status === 0) return;
  process.stderr.write(`${done.stdout}${done.stderr}${done.error?.message ?? ""}\n`);
  process.exit(done.status ?? 1);
};

const manifests = readdirSync(`${root}packages`).map((name) => `packages/${name}/package.json`);
manifests.push("packages/testkit/nodes/package.json");
const wanted = createHash("sha256");
for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...manifests.sort()]) {
  if (existsSync(root + file)) wanted.update(`${file}\0`).update(readFileSync(root + file));
}
const digest = wanted.digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== digest) {
  console.error("installing the locked versions");
  pnpm("install", "--frozen-lockfile");
  writeFileSync(stamp, digest);
}

const [option, ...filters] = process.argv.slice(2);
if (option === "--build") {
  const chosen = filters.length > 0 ? filters : ["./packages/*"];
  console.error(`building ${filters.length > 0 ? filters.join(", ") : "all packages"}`);
  pnpm("--recursive", ...chosen.flatMap((filter) => ["--filter", filter]), "run", "build");
}
