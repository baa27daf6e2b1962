"""Tests for the sandboxes: the contract of every kind, and the isolation of tasks."""
