"""Tests of the models of Harbor's files."""
