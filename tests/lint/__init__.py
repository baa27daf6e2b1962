"""Tests of `parity lint`."""
