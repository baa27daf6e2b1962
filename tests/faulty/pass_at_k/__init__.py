"""Faulty runners for the operation `pass_at_k`."""
