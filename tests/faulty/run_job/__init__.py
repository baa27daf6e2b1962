"""Runners that are wrong in `run_job`."""
