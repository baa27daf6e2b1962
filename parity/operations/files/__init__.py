"""What several operations ask about: files, their states on disk, and the numbers and texts in them."""
