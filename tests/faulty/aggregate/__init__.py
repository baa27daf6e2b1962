"""Faulty runners for the operation `aggregate`."""
