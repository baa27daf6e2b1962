"""The reference without an installed release: recorded answers, with the reward read again."""

from dataclasses import replace

from parity.operations.harbor_env.recorded.scenario import EnvScenario, InjectedFault, TaskScenario
from parity.operations.vectors import VECTORS
from parity.reference.documented import described, from_template, recorded_scenarios


def _leaving(content: bytes, code: int = 0) -> EnvScenario:
    scenario: EnvScenario = next(
        vector.case for vector in VECTORS["harbor_env"] if vector.id == "documented-env/reward/int"
    )
    return replace(scenario, tasks=(replace(scenario.tasks[0], left={"reward.txt": content}, code=code),))


def test_releases_answered_as_is_described() -> None:
    """The description gives the recorded answers of releases to all golden vectors that it covers."""
    described_answers = [(scenario, answer, from_template(scenario)) for scenario, answer in recorded_scenarios()]
    compared = [(answer, record) for _, answer, record in described_answers if record is not None]

    assert len(compared) > 80
    assert [repr(record) for _, record in compared] == [repr(answer) for answer, _ in compared]


def test_another_reward() -> None:
    """Other reward files change only the reward and the average of the recorded answer."""
    record = described(_leaving(b"+.125e1", code=3))

    assert record is not None
    assert (record["rollouts"][0]["reward"], record["average"], record["rollouts"][0]["failed"]) == (1.25, 1.25, False)
    assert record["rows"][0]["task"] == "task-0"


def test_what_is_not_described() -> None:
    """Golden vectors, failing calls, and datasets that were not recorded have no described answer."""
    scenario = _leaving(b"0.125")
    (task,) = scenario.tasks

    assert described(_leaving(b"1")) is None
    assert described(replace(scenario, tasks=(replace(task, injected_fault=InjectedFault("run-tests")),))) is None
    assert described(replace(scenario, tasks=(task, TaskScenario("b", task.files, {})))) is None
    assert described(replace(scenario, image="nobody/recorded:1")) is None
