"""Tests of the sandboxes: the contract of all kinds, and the isolation of tasks."""
