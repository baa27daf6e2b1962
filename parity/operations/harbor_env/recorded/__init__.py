"""Scenarios of an environment: what an environment and its authority are both given, and what is compared."""
