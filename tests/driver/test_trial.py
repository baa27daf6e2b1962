"""The sandboxes that a trial needs, and their names."""

from pathlib import Path
from types import SimpleNamespace

from harbor.trial.trial import Trial
from hypothesis import example, given
from hypothesis import strategies as st

from parity.driver.settings import Options
from parity.driver.task import read_task
from parity.driver.trial import specs_of, verifier_sandbox_name
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import TaskFiles

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


def test_a_separate_verifier_has_a_spec_of_its_own(tmp_path: Path) -> None:
    """A task without steps and with a separate verifier has two specs, the second for the verifier."""
    separate = TaskFiles('[verifier]\nenvironment_mode = "separate"\n', PLAIN_TASK.files)
    task = read_task(separate.write(tmp_path / "task"))

    specs = specs_of(task, Options())

    assert [spec.for_verifier for spec in specs] == [False, True]
