import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/runner.ts", "src/brokers/index.ts"],
  format: ["esm"],
  dts: { entry: ["src/index.ts", "src/brokers/index.ts"] },
  clean: true,
  target: "es2022",
});
