import { sqs, sqsFifo } from "../../src/transport-suite/transports/sqs.js";
import { describeTransport } from "./transport.js";

describeTransport(sqs);
describeTransport(sqsFifo);
