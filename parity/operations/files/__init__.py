"""Files in the cases of several operations: their states on disk, and the numbers and texts in them."""
