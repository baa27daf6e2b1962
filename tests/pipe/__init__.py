"""Tests of both ends of the pipe."""
