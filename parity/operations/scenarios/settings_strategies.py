"""Settings of agents and verifiers that are seldom given."""

from hypothesis import strategies as st

timeouts = st.sampled_from([None, None, None, 0.0, 3.0, 10.5, 100.0, -1.0])
"""Seconds, or none; zero and negative ones included."""

models = st.sampled_from([None, None, "some/model", "model", "a/b/c", "/", "provider/", ""])
"""With and without a provider."""
