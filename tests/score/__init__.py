"""Tests for the command `parity score`: verdicts, bad input, streams and verifier directories."""
