"""Scenarios of an environment, their execution, and the records of it that are compared."""
