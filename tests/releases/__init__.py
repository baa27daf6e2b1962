"""Tests of other releases of Harbor as the reference, each in its own environment."""
