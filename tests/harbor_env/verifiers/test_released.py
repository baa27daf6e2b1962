"""Under documented scoring, rewards equal those of the release's HarborEnv, except in the cases listed here."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from parity.harbor_env import DatasetError, places
from parity.harbor_env.for_verifiers import HarborEnv
from tests.harbor_env.verifiers.places import write_task
from tests.harbor_env.verifiers.released import Outcome, released_rewards
from tests.harbor_env.verifiers.rollouts import foreign_warnings, make, states_of

pytestmark = foreign_warnings

_TXT, _JSON = "/logs/verifier/reward.txt", "/logs/verifier/reward.json"

_SCRIPTS = {
    "agent-folder": f"test -e made && echo 1 > {_TXT} || echo 0.125 > {_TXT}",
    "bad-json": f"""echo '{{"reward": 1' > {_JSON}""",
    "bare-number": f"echo 0.5 > {_JSON}",
    "blank-txt": f"""echo > {_TXT}; echo '{{"reward": 0.85}}' > {_JSON}""",
    "both": f"""echo 0.25 > {_TXT}; echo '{{"reward": 0.85}}' > {_JSON}""",
    "empty-txt": f""": > {_TXT}; echo '{{"reward": 0.85}}' > {_JSON}""",
    "failing-script": f"echo 0.5 > {_TXT}; exit 1",
    "infinity": f"echo inf > {_TXT}",
    "json": f"""echo '{{"reward": 0.85}}' > {_JSON}""",
    "json-in-txt": f"""echo '{{"reward": 0.75}}' > {_TXT}""",
    "list": f"echo '[1]' > {_JSON}",
    "not-utf-8": f"printf '\\xff1' > {_TXT}",
    "nothing": "true",
    "null": f"""echo '{{"reward": null}}' > {_JSON}""",
    "number": f"echo 0.5 > {_TXT}",
    "other-key": f"""echo '{{"score": 1}}' > {_JSON}""",
    "quoted": f"""echo '{{"reward": "0.5"}}' > {_JSON}""",
    "too-large": f"""printf '{{"reward": 1%0400d}}' 0 > {_JSON}""",
    "true": f"""echo '{{"reward": true}}' > {_JSON}""",
    "underscore": f"echo 1_0 > {_TXT}",
    "word": f"""echo '{{"reward": "high"}}' > {_JSON}""",
    "word-in-txt": f"echo good > {_TXT}",
}

_ENDING: Mapping[str, Outcome] = {
    "list": "AttributeError",
    "null": "TypeError",
    "too-large": "OverflowError",
    "word": "ValueError",
}
"""Cases in which releases end the evaluation, although the documentation says that the reward is 0.0."""


def _rewards(run_command: str, dataset: Path, **options: Any) -> dict[str, Outcome]:
    states = states_of(make(run_command, dataset, scoring="documented", **options))
    return {state["info"]["task_name"]: state["reward"] for state in states}


def test_rewards_are_those_of_the_release(tmp_path: Path) -> None:
    """Any files of the test script give the same reward, except for the listed errors of releases."""
    for name, script in _SCRIPTS.items():
        write_task(tmp_path, script, name)

    released, ours = released_rewards("touch made", tmp_path), _rewards("touch made", tmp_path)

    assert set(ours) == set(_SCRIPTS)
    assert {name: ours[name] for name in _ENDING} == dict.fromkeys(_ENDING, 0.0)
    assert released == {**ours, **_ENDING}


def test_the_client_of_the_release_serves_as_well(tmp_path: Path) -> None:
    """The class also works with the release's own client and its retries."""
    dataset = write_task(tmp_path, f"test -e {places.INSTRUCTION} && echo 0.5 > {_TXT}")

    assert released_rewards("true", dataset, HarborEnv) == {"task": 0.5}


def test_chosen_directory_that_is_no_task_is_refused(tmp_path: Path) -> None:
    """A chosen folder that is not a task is refused; releases leave it out."""
    dataset = write_task(tmp_path, f"echo 0.5 > {_TXT}")
    (tmp_path / "other").mkdir()

    with pytest.raises(DatasetError, match=r"other: lacks task\.toml and instruction\.md"):
        make("true", dataset, scoring="documented", tasks=["task", "other"])

    assert released_rewards("true", dataset, tasks=["task", "other"]) == {"task": 0.5}


def test_crashed_agent_is_scored(tmp_path: Path) -> None:
    """An agent that fails is scored; releases give it 0.0."""
    dataset = write_task(tmp_path, f"echo 0.5 > {_TXT}")

    assert _rewards("exit 3", dataset) == {"task": 0.5}
    assert released_rewards("exit 3", dataset) == {"task": 0.0}


def test_planted_reward_counts_in_the_release_alone(tmp_path: Path) -> None:
    """A planted reward counts only in the releases."""
    dataset, plant = write_task(tmp_path, "true"), f"echo 1 > {_TXT}"

    assert released_rewards(plant, dataset) == {"task": 1.0}
    assert _rewards(plant, dataset) == {"task": 0.0}


def test_agent_at_its_timeout_runs_on_in_the_release_alone(tmp_path: Path) -> None:
    """Only in the releases, an agent keeps running after its timeout, and plants a reward."""
    dataset, plant = write_task(tmp_path, "sleep 1"), f"while true; do echo 1 > {_TXT}; sleep 0.05; done"

    assert released_rewards(plant, dataset, timeout_seconds=5) == {"task": 1.0}
    assert _rewards(plant, dataset, timeout_seconds=5) == {"task": 0.0}
