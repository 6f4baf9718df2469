import { defineConfig } from "tsup";

export default defineConfig([
  {
    entry: ["src/index.ts"],
    format: ["esm", "cjs"],
    dts: true,
    clean: true,
    target: "es2022",
    removeNodeProtocol: false,
    platform: "node",
  },
  {
    entry: { web: "src/index.ts" },
    format: ["esm"],
    target: "es2022",
    removeNodeProtocol: false,
    platform: "browser",
    noExternal: [/^@noble\/hashes/],
    esbuildPlugins: [
      {
        name: "web-runtime",
        setup(build) {
          build.onResolve({ filter: /\/runtime\/node\.js$/ }, (args) =>
            build.resolve(args.path.replace("node.js", "web.js"), { resolveDir: args.resolveDir, kind: args.kind }),
          );
        },
      },
    ],
  },
]);
