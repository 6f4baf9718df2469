import { describe } from "vitest";
import { memoryStore } from "../src/index.js";
import { storeSuite } from "./store-suite.js";

describe("memoryStore", () => {
  const store = memoryStore();
  storeSuite(() => store);
});
