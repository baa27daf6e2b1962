"""The wheel against itself: which of its answers depend on where it runs."""
