import { googlePubsub } from "../../src/transport-suite/transports/google-pubsub.js";
import { describeTransport } from "./transport.js";

describeTransport(googlePubsub);
