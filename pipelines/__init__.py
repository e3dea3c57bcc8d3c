"""Everything that touches the outside: the stream processor, the warehouse, the flows, the reports."""
