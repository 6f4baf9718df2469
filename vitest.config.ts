import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    allowOnly: false,
    coverage: { include: ["packages/*/src/**"] },
    projects: [
      { test: { name: "unit", include: ["packages/*/test/**/*.test.ts"] } },
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
