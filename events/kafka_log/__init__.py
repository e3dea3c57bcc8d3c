"""The log on Apache Kafka. This package alone knows kafka-python.

`KafkaSettings` says where, `read_settings` reads what a file adds; `create_topics` makes the topics; `KafkaLog` is the log;
`Stream` is what the stream processor reads and writes through, exactly once.
"""

from events.kafka_log.connection import ROOM_BYTES, create_topics
from events.kafka_log.log import KafkaLog
from events.kafka_log.settings import KafkaSettings, read_settings
from events.kafka_log.stream import Committed, Message, NotOurs, Output, Stream

__all__ = [
    "ROOM_BYTES",
    "Committed",
    "KafkaLog",
    "KafkaSettings",
    "Message",
    "NotOurs",
    "Output",
    "Stream",
    "create_topics",
    "read_settings",
]
