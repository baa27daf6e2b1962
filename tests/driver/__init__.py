"""Tests of the driver, which runs tasks in sandboxes."""
