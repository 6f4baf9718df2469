import { itRunsTheDemo } from "./demo.js";

itRunsTheDemo("nats");
