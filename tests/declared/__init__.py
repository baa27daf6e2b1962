"""Tests of declared divergences: their file, drafts of it, and runs that use it."""
