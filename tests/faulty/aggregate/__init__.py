"""Runners that are wrong in `aggregate`."""
