"""Trials and jobs that are played on recording sandboxes: what goes in, how it is played, and what is recorded."""
