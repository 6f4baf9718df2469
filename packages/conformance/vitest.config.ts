import { defineConfig } from "vitest/config";

// Runners are started, killed and started again; a loaded machine takes its time over it.
export default defineConfig({ test: { testTimeout: 60_000 } });
