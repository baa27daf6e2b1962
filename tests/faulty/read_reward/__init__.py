"""Faulty runners for the operation `read_reward`."""
