"""Scenarios for `run_trial` and `run_job`, recording sandboxes on which drivers execute them, and the records of it."""
