"""Tests of Harbor's releases as the reference, each in its own environment."""
