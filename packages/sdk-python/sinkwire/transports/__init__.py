"""A message as each broker carries it, and a delivery as each broker's client gives it: pure functions, no I/O."""

from .kafka import KAFKA_MAX_BYTES, KafkaRecord, kafka_record, read_kafka
from .nats import NATS_MAX_BYTES, NatsMessage, nats_message, read_nats
from .pubsub import PUBSUB_MAX_BYTES, PubsubMessage, pubsub_message, read_pubsub
from .rabbitmq import AMQP_MAX_BYTES, AmqpPublish, amqp_publish, read_amqp
from .redis import REDIS_MAX_BYTES, RedisPublish, read_redis, redis_publish
from .sqs import SQS_MAX_BYTES, SqsEntry, read_sqs, sqs_entry

__all__ = [
    "AMQP_MAX_BYTES",
    "KAFKA_MAX_BYTES",
    "NATS_MAX_BYTES",
    "PUBSUB_MAX_BYTES",
    "REDIS_MAX_BYTES",
    "SQS_MAX_BYTES",
    "AmqpPublish",
    "KafkaRecord",
    "NatsMessage",
    "PubsubMessage",
    "RedisPublish",
    "SqsEntry",
    "amqp_publish",
    "kafka_record",
    "nats_message",
    "pubsub_message",
    "read_amqp",
    "read_kafka",
    "read_nats",
    "read_pubsub",
    "read_redis",
    "read_sqs",
    "redis_publish",
    "sqs_entry",
]
