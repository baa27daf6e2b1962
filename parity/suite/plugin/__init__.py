"""The suite as a plugin of pytest: options, session, profiles, summary and golden snapshots."""
