import { SinkwireError } from "@sinkwire/message";

/** A channel, or an option of the document, that cannot be used. Permanent. The text never repeats a value. */
export class InvalidChannelError extends SinkwireError {
  declare readonly code: "invalid_channel";
  /** The option at fault, as it is written. */
  declare readonly field: string;
  /** Index of the channel in the list; null for an option of the document. */
  readonly channel: number | null;

  constructor(channel: number | null, field: string, message: string) {
    super("invalid_channel", `${channel === null ? "" : `channels[${channel}].`}${field}: ${message}`, { field });
    this.channel = channel;
  }
}
