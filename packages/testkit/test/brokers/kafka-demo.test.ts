import { itRunsTheDemo } from "./demo.js";

itRunsTheDemo("kafka");
