"""Runners that are wrong in `read_reward`."""
