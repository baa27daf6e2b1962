"""The kinds of sandbox that the driver can use."""
