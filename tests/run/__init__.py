"""Tests for `parity run`."""
