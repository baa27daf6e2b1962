"""Tests of HarborEnv on our own sandboxes."""
