"""The specifications of a trial's sandboxes are known before it starts."""

from pathlib import Path

from parity.driver.places import TrialFolder
from parity.driver.settings import AgentSettings, JobSettings
from parity.driver.task import read_task
from parity.driver.trial_plan import TrialPlan
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import TaskFiles


def test_a_separate_verifier_has_a_spec_of_its_own(tmp_path: Path) -> None:
    """A task without steps and with a separate verifier has two specs, the second for the verifier."""
    separate = TaskFiles('[verifier]\nenvironment_mode = "separate"\n', PLAIN_TASK.files)
    task = read_task(separate.write(tmp_path / "task"))
    plan = TrialPlan(task, "t", TrialFolder(tmp_path / "t"), JobSettings("j"), AgentSettings("nop"), {}, "")

    specs = plan.specs()

    assert [spec.for_verifier for spec in specs] == [False, True]
