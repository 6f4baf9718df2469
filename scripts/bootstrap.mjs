// Runs before anything is installed, so it uses nothing but Node: brings pnpm through npx and installs the locked versions.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const pnpm = (...args) => {
  const done = spawnSync("npx", ["--yes", "pnpm@12.4.2", ...args], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
};
pnpm("install", "--frozen-lockfile");
