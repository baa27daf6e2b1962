"""The name of a verifier's own sandbox is Harbor's, however long the names are that it consists of."""

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
    """Up to 63 characters; of a longer name the end is a digest of all of it."""
    with_config = SimpleNamespace(config=SimpleNamespace(trial_name=trial))
    expected = Trial._separate_verifier_session_id(with_config, step)

    name = verifier_sandbox_name(trial, step)

    assert name == expected
