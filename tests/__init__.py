"""Tests of the kit itself."""
