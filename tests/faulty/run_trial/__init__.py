"""Runners that are wrong in `run_trial`."""
