"""Tests that the bundled tasks give the same results with every driver on every available kind of sandbox."""
