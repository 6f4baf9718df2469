import {
  decodeMessage,
  type EncodedMessage,
  type Message,
  type MessageHead,
  serializeMessage,
} from "@sinkwire/message";

/** A message to be published, in both of its forms. */
export interface Publishable {
  /** Fields for the key and the metadata; it can stand for the hook and the context of `headersSet` and `attributesSet`. */
  readonly message: MessageHead;
  /** The bytes to send. A Buffer, since most clients ask for one. */
  readonly body: Buffer;
}

/**
 * Gives what a publisher needs of whatever it was handed.
 *
 * @param given - an encoded message, sent as it is; a decoded one, written canonically
 * @throws InvalidMessageError when an encoded message without `head` is none
 */
export function publishable(given: EncodedMessage | Message): Publishable {
  const encoded = "bytes" in given;
  const bytes = encoded ? given.bytes : serializeMessage(given);
  return {
    message: encoded ? (given.head ?? decodeMessage(bytes)) : given,
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}
