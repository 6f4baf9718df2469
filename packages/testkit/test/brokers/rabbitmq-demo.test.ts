import { itRunsTheDemo } from "./demo.js";

itRunsTheDemo("rabbitmq");
