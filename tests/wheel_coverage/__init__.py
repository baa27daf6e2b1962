"""Compares the coverage of Harbor's scoring functions, which coverage.py measures, with a list of unreached places."""
