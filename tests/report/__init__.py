"""Tests of the report: its JSON, its HTML page, its verdicts as text, and reports of real runs."""
