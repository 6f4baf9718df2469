import { itRunsTheDemo } from "./demo.js";

itRunsTheDemo("sqs");
