"""Tests of the sandboxes: what all kinds promise, and what none lets out."""
