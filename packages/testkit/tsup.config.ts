import { defineConfig } from "tsup";

const entry = { index: "src/index.ts", runner: "src/runner.ts", brokers: "src/brokers/index.ts" };
const { runner, ...typed } = entry;

export default defineConfig({ entry, format: ["esm"], dts: { entry: typed }, clean: true, target: "es2022" });
