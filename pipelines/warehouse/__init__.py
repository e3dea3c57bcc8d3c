"""The warehouse: a DuckDB file with what the audits found. This package is its only writer."""
