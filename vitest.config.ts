import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    allowOnly: false,
    coverage: { include: ["packages/*/src/**"] },
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "packages/testkit/test/brokers/**"],
        },
      },
      {
        test: {
          name: "brokers",
          include: ["packages/testkit/test/brokers/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          // Google's client otherwise looks for a machine of Google's on the network.
          env: { METADATA_SERVER_DETECTION: "none" },
        },
      },
      {
        test: {
          name: "gates",
          include: ["packages/testkit/gates/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
