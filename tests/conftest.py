"""What several test modules share."""

from tests.kafka_broker import kafka_bootstrap, kafka_settings

__all__ = ["kafka_bootstrap", "kafka_settings"]
