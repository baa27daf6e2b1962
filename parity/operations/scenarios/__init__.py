"""Scenarios for `run_trial` and `run_job`, their execution on recording sandboxes, and the records of it."""
