"""The wheel against itself: what of its answers moves with its surroundings."""
