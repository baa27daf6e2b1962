"""The metrics and pass@k of Pier's bridge."""

from parity.runners.bridges.pier_verifier import PierVerifier
from parity.scorer.pass_at_k import Trial

_TRIALS = [Trial("agent", "model", None, "task", {"reward": reward}) for reward in (1, 0)]


def test_metrics_and_pass_at_k() -> None:
    """Pier's bridge answers with Pier's own metrics and pass@k."""
    bridge = PierVerifier()

    mean, pass_at_k = bridge.aggregate("mean", [{"a": 1, "b": 2}, None]), bridge.pass_at_k(_TRIALS)

    assert (mean, pass_at_k) == ({"a": 0.5, "b": 1.0}, {"agent__model__adhoc": {2: 1.0}})
