"""Runners that are wrong in `outcome`."""
