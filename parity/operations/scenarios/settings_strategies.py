"""Rare settings of agents and verifiers."""

from hypothesis import strategies as st

timeouts = st.sampled_from([None, None, None, 0.0, 3.0, 10.5, 100.0, -1.0])
"""Timeouts in seconds, zero and negative ones included, or None."""

models = st.sampled_from([None, None, "some/model", "model", "a/b/c", "/", "provider/", ""])
"""Names of models, with and without a provider, or None."""
