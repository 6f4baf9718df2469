/** What an AMQP publish may hold, by AMQP 0-9-1 and the documentation of RabbitMQ 4. */
export const RABBITMQ_LIMITS = {
  /** The server that the figures belong to. */
  server: "RabbitMQ 4",
  /** Default limit of the body, in bytes: far under the server's `max_message_size` of 16 MiB. */
  maxBytes: 1_048_576,
  /** Most bytes of a `message_id`: AMQP writes its length in an octet. */
  messageIdBytes: 255,
} as const;
