"""What was due: pure functions of events and rules. No Kafka, DuckDB, Prefect, clock or environment in here."""
