"""Tests for the driver, which runs tasks in sandboxes."""
