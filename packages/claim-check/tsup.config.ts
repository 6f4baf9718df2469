import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", node: "src/node/index.ts", s3: "src/s3/index.ts" },
  format: ["esm", "cjs"],
  target: "es2022",
  removeNodeProtocol: false,
  platform: "neutral",
  external: [/^node:/],
  dts: true,
  splitting: true,
  clean: true,
});
