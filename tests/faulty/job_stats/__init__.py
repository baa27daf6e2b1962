"""Runners that are wrong in `job_stats`."""
