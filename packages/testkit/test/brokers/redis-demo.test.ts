import { itRunsTheDemo } from "./demo.js";

itRunsTheDemo("redis");
