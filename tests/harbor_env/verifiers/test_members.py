"""Tests that whatever the release's own `HarborEnv` defines is there in the kit's class, and has its effect."""

from pathlib import Path
from typing import Any

import pytest
import verifiers as vf
from verifiers.envs.experimental.harbor_env import HarborMCPMixin

from parity.harbor_env import HarborEnv as WithoutVerifiers
from parity.harbor_env import Scoring
from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.verifiers.members import USES, ImageSandboxes, Use, members_of_the_release
from tests.harbor_env.verifiers.places import write_task
from tests.harbor_env.verifiers.released import released, rewards_of
from tests.harbor_env.verifiers.rollouts import foreign_warnings, make

pytestmark = foreign_warnings

_TESTS = "[ -e /tmp/mark ] && echo 1 > /logs/verifier/reward.txt || echo 0.5 > /logs/verifier/reward.txt"


def _rewards(dataset: Path, use: Use, kind: Any, **options: Any) -> dict[str, Any]:
    arguments = {"run_command": use.agent, **use.arguments}
    run_command = arguments.pop("run_command")
    return rewards_of(released(run_command, dataset, kind, sandboxes=ImageSandboxes(), **arguments, **options))


@pytest.fixture
def dataset(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a dataset with a task, which has the task.toml of the member under test, and if that selects, another."""
    name = request.node.callspec.params["name"]
    data = write_task(tmp_path / "data", _TESTS)
    (data / "task" / "task.toml").write_text(USES[name].toml)
    return write_task(data, _TESTS, "other") if name in ("tasks", "task_names") else data


def test_every_member_of_the_releases_class_has_a_use() -> None:
    """The table has a use of each member that the release defines, and of nothing else."""
    assert members_of_the_release() == set(USES)


def test_other_class_has_or_refuses_every_method_of_the_release() -> None:
    """The class without verifiers has each method of the release's three classes, or refuses that one overrides it."""
    kinds = (vf.HarborEnv, HarborMCPMixin, vf.CliAgentEnv)
    methods = {name for kind in kinds for name, value in vars(kind).items() if callable(value) and name[0] != "_"}

    assert methods - {*dir(WithoutVerifiers)} <= WithoutVerifiers.never_called.keys()
    assert WithoutVerifiers.never_called.keys() <= {*dir(vf.HarborEnv)} - {*dir(WithoutVerifiers)}


@pytest.mark.parametrize("name", USES)
def test_member_has_the_same_effect_as_in_the_release(dataset: Path, scoring: Scoring, name: str) -> None:
    """A member has its effect in the kit's class, with its sandboxes or the release's client, as in the release."""
    use = USES[name]
    arguments = {"run_command": use.agent, **use.arguments}
    kind = use.subclass(HarborEnv)
    environment = make(
        arguments.pop("run_command"), dataset, kind, sandboxes=ImageSandboxes(), scoring=scoring, **arguments
    )

    here = rewards_of(environment)
    with_client = _rewards(dataset, use, kind, scoring=scoring)
    in_release = _rewards(dataset, use, use.subclass(vf.HarborEnv))

    assert [here, with_client, in_release] == [{"task": 1.0}] * 3


@pytest.mark.parametrize("name", USES)
def test_use_of_a_member_needs_its_effect(dataset: Path, name: str) -> None:
    """Without the subclass and the arguments there are other rewards, so the test above shows the effect."""
    use = USES[name]

    rewards = _rewards(dataset, Use(agent=use.agent, toml=use.toml), HarborEnv, scoring="documented")

    assert rewards in ({"task": 0.5}, {"other": 1.0, "task": 1.0}, {"other": 0.5, "task": 0.5})
