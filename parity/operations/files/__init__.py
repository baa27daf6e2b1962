"""Files that occur in cases of several operations: their states on disk, and strategies for their contents."""
