"""Tests of declared divergences: the file, the draft, and runs with them."""
