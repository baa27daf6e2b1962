"""Releases of Harbor as the reference, each in an environment of its own."""
