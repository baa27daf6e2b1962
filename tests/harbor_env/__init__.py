"""Tests of HarborEnv."""
