import { cp } from "node:fs/promises";
import { defineConfig } from "tsup";
import { SCHEMA_FILES } from "./src/schema-files.js";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
  shims: true,
  clean: true,
  target: "es2022",
  removeNodeProtocol: false,
  onSuccess: async () => {
    for (const file of Object.values(SCHEMA_FILES)) await cp(`../../schemas/${file}`, `dist/schemas/${file}`);
  },
});
