import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", adapter: "src/adapter/index.ts" },
  format: ["esm", "cjs"],
  dts: true,
  clean: true,
  target: "es2022",
  removeNodeProtocol: false,
});
