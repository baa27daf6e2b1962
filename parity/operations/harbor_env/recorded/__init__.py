"""Scenarios of an environment: the input for an environment and its authority, and the records that are compared."""
