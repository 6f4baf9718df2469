import { SinkwireError } from "@sinkwire/message";

/** A part of a lane's identity that is malformed. Permanent. */
export class InvalidLaneTupleError extends SinkwireError {
  declare readonly code: "invalid_lane_tuple";
  declare readonly field: string;
  constructor(field: string, message: string) {
    super("invalid_lane_tuple", `${field}: ${message}`, { field });
  }
}
