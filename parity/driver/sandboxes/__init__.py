"""The kinds of sandbox of the driver."""
