"""Sabotages the clean room one function at a time, and shows that the judge still gives a verdict."""
