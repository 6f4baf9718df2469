import { kafka } from "../../src/transport-suite/transports/kafka.js";
import { describeTransport } from "./transport.js";

describeTransport(kafka);
