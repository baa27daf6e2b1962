"""Tests of `parity drift`."""
