"""The name of a verifier's own sandbox equals Harbor's, for names of any length."""

from types import SimpleNamespace

from harbor.trial.trial import Trial
from hypothesis import example, given
from hypothesis import strategies as st

from parity.driver.trial_plan import verifier_sandbox_name

_texts = st.text(st.sampled_from("aé١-_. /"), max_size=60)


@given(_texts, _texts)
@example("t" * 40, "s" * 11)
@example("t" * 40, "s" * 12)
@example("t" * 40 + "-" * 20, "step")
def test_a_verifiers_own_sandbox_is_called_as_by_harbor(trial: str, step: str) -> None:
    """A name has at most 63 characters, and a longer one ends with a digest, as in Harbor."""
    with_config = SimpleNamespace(config=SimpleNamespace(trial_name=trial))
    expected = Trial._separate_verifier_session_id(with_config, step)

    name = verifier_sandbox_name(trial, step)

    assert name == expected
