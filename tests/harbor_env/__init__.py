"""Tests for HarborEnv."""
