import { PUBSUB_LIMITS, toPubsub } from "@sinkwire/google-pubsub";
import { attributesSet } from "@sinkwire/message";
import { openLane } from "./google-pubsub-lane.js";
import { describeTransport } from "./transport.js";

describeTransport({
  name: "google-pubsub",
  title: "Google Pub/Sub",
  hasKeys: true,
  noBody: "invalid",
  maxBytes: PUBSUB_LIMITS.maxBytes,
  encode(hook, context, claim) {
    const { data: bytes, ...mapped } = toPubsub(hook, context, { claim });
    return { bytes, ...mapped };
  },
  metadataOf: (message) => attributesSet(message, message),
  open: ({ url }) => openLane(url),
});
