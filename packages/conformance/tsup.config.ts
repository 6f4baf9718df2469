import { cp } from "node:fs/promises";
import { defineConfig } from "tsup";

/** What the package carries, so that the vectors work from an empty folder. */
const CARRIED = ["conformance/cases", "conformance/README.md", "conformance/suite.json", "schemas"];

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
  shims: true,
  clean: true,
  target: "es2022",
  removeNodeProtocol: false,
  onSuccess: async () => {
    for (const path of CARRIED) await cp(`../../${path}`, `dist/data/${path}`, { recursive: true });
  },
});
