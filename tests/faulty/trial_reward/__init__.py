"""Runners that are wrong in `trial_reward`."""
