"""Faulty runners for the operation `trial_reward`."""
