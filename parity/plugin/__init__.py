"""The suite as a pytest plugin: options, session, profiles, summary and golden snapshots."""
