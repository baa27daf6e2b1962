"""The wheel compared with itself: the answers that depend on its environment."""
