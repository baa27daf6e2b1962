"""What `pytest parity/` collects: every operation, drawn cases and golden vectors."""
