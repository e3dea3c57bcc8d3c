"""What was said to have happened: event models, codec, the log (Kafka and archive), intake."""
