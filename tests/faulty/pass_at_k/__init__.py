"""Runners that are wrong in `pass_at_k`."""
