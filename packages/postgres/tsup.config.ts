import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/pglite.ts"],
  format: ["esm", "cjs"],
  dts: true,
  clean: true,
  target: "es2022",
  removeNodeProtocol: false,
});
