"""Tests of the models for the files in Harbor's formats."""
