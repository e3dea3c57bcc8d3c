"""Clients of Kafka, its topics, and its troubles as one plain line each."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any, Final

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka import errors as kafka_errors

from events.codec import MESSAGE_LIMIT_BYTES
from events.errors import BadInput
from events.kafka_log.settings import KafkaSettings

ROOM_BYTES: Final = MESSAGE_LIMIT_BYTES + 64 * 1024
"""A record batch with the largest message: the message and what Kafka puts around it."""

# kafka-python tells the log of every failed connection; the user gets one line from here instead. A program that
# configures logging still gets all of it.
logging.getLogger("kafka").addHandler(logging.NullHandler())


@contextlib.contextmanager
def plainly(settings: KafkaSettings, doing: str) -> Iterator[None]:
    """Turn what kafka-python raises while `doing` something into BadInput."""
    try:
        yield
    except kafka_errors.KafkaError as fault:
        raise as_bad_input(settings, doing, fault) from fault


def as_bad_input(settings: KafkaSettings, doing: str, fault: Exception) -> BadInput:
    """The fault as one plain line."""
    where = f"Kafka at {settings.bootstrap}"
    missing = (kafka_errors.KafkaTimeoutError, kafka_errors.KafkaConnectionError, kafka_errors.NodeNotReadyError)
    if isinstance(fault, missing):
        # kafka-python says no more where a broker is there and does not let us in
        what = f"no broker answers ({doing})"
        do = "start it (deploy/kafka/start), or correct the address or the Kafka file that says how to get in"
        return BadInput(what, where, do, reason="NO_BROKER")
    if isinstance(fault, kafka_errors.UnknownTopicOrPartitionError):
        return BadInput(
            f"a topic is missing ({doing})", where, "make them with roundaudit process --create-topics 4", reason="NO_TOPIC"
        )
    said = str(fault).splitlines()[0] if str(fault) else ""
    what = f"{doing} failed: {type(fault).__name__.removesuffix('Error')} {said}".strip()
    return BadInput(what, where, "look at the broker's log", reason="KAFKA")


def make_consumer(settings: KafkaSettings, **options: Any) -> KafkaConsumer:
    """A consumer that sees committed messages only, commits nothing by itself and creates no topic.

    Raises BadInput where no broker answers.
    """
    with plainly(settings, "reading"):
        return KafkaConsumer(
            **{
                **_common(settings),
                "isolation_level": "read_committed",
                "enable_auto_commit": False,
                "auto_offset_reset": "earliest",
                "allow_auto_create_topics": False,
                "metrics_enabled": False,
                # the broker gives one whole message even if it is larger; this is how much of many small ones
                "max_partition_fetch_bytes": 4 * 1024 * 1024,
                "fetch_max_wait_ms": 100,
                **options,
            }
        )


def make_producer(settings: KafkaSettings, **options: Any) -> KafkaProducer:
    """An idempotent producer that waits for all replicas and compresses. Raises BadInput where no broker answers.

    lz4, because every Kafka client reads it and it costs little: gzip took a tenth of the processor's time.
    """
    with plainly(settings, "writing"):
        return KafkaProducer(
            **{
                **_common(settings),
                "acks": "all",
                "enable_idempotence": True,
                "compression_type": "lz4",
                "linger_ms": 100,
                "batch_size": 256 * 1024,
                "max_request_size": ROOM_BYTES,
                "max_block_ms": settings.answer_ms,
                "allow_auto_create_topics": False,
                "metrics_enabled": False,
                **options,
            }
        )


def close_producer(producer: KafkaProducer) -> None:
    """Close a producer. What a broker that went away did not take was told when it was sent; here it is dropped."""
    try:
        producer.close(timeout=5)
    except kafka_errors.KafkaError:
        # kafka-python stops closing at what it cannot send, and would raise once more at the end of the program;
        # nothing public drops it
        producer._sender.force_close()
        with contextlib.suppress(kafka_errors.KafkaError):
            producer.close(timeout=1)


def partitions_of(consumer: KafkaConsumer, settings: KafkaSettings, topic: str) -> int:
    """The number of partitions of a topic. Raises BadInput where there is none."""
    with plainly(settings, f"asking for topic {topic}"):
        partitions = consumer.partitions_for_topic(topic)
    if not partitions:
        raise BadInput(
            f"there is no topic {topic}",
            f"Kafka at {settings.bootstrap}",
            "make them with roundaudit process --create-topics 4",
            reason="NO_TOPIC",
        )
    return len(partitions)


def create_topics(settings: KafkaSettings, partitions: int = 4, replicas: int = 1) -> list[str]:
    """Make the topics that are missing and return their names.

    They take messages of 8 MiB and keep them for ever (Kafka's default is seven days). Raises BadInput where no broker
    answers, or where the events topic is there with another number of partitions.
    """
    with plainly(settings, "creating topics"), contextlib.closing(_admin(settings)) as admin:
        there = {topic["name"]: topic for topic in admin.describe_topics(list(settings.topics)) if not topic["error_code"]}
        found = len(there[settings.events_topic]["partitions"]) if settings.events_topic in there else partitions
        if found != partitions:
            raise BadInput(
                f"topic {settings.events_topic} has {found} partitions, not {partitions}",
                f"Kafka at {settings.bootstrap}",
                "use that number: a table's rounds stay in one partition",
            )
        missing = [topic for topic in settings.topics if topic not in there]
        if missing:
            configs = {
                "max.message.bytes": str(ROOM_BYTES),
                "retention.ms": "-1",
                "retention.bytes": "-1",
                "cleanup.policy": "delete",
                "compression.type": "producer",
            }
            wanted = {"num_partitions": partitions, "replication_factor": replicas, "configs": configs}
            admin.create_topics(dict.fromkeys(missing, wanted), wait_for_metadata=True)
    return missing


def topic_partition(topic: str, partition: int) -> TopicPartition:
    """kafka-python's name for a partition."""
    return TopicPartition(topic, partition)


def _admin(settings: KafkaSettings) -> KafkaAdminClient:
    return KafkaAdminClient(**_common(settings))


def _common(settings: KafkaSettings) -> dict[str, Any]:
    return {
        "bootstrap_servers": [address.strip() for address in settings.bootstrap.split(",")],
        "bootstrap_timeout_ms": settings.connect_ms,
        "client_id": "roundaudit",
        **settings.client,
    }
