"""Runners that are wrong in `harbor_env`."""
