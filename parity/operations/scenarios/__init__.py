"""Scenarios of `run_trial` and `run_job`: tasks, settings, scripts for the sandboxes' calls, and records."""
