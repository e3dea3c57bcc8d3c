"""Reports: one module a report, and its template. What every report says of itself is in `heading`."""
