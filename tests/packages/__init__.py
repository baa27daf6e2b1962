"""Tests of what others install: the packages of golden vectors, and the distributions of the kit."""
