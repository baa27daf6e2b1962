"""Tests of the report: its record, its page, the matrix of several runners, and real runs."""
