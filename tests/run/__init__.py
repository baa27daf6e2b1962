"""Tests of `parity run`."""
