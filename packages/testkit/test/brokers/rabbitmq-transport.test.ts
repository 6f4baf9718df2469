import { rabbitmqWith } from "../../src/transport-suite/transports/rabbitmq.js";
import { describeTransport } from "./transport.js";

describeTransport(rabbitmqWith("classic"));
describeTransport(rabbitmqWith("quorum"));
