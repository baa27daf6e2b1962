"""`parity lint`."""
