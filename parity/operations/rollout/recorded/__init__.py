"""Scenarios of an environment, which runners execute and record."""
