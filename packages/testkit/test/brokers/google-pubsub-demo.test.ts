import { itRunsTheDemo } from "./demo.js";

itRunsTheDemo("google-pubsub");
