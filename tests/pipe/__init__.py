"""Tests of the pipe, on both of its ends."""
