"""Scenarios for `run_trial` and `run_job`, the scripted sandboxes that drivers run them on, and transcripts."""
