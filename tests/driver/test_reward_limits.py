"""Tests that rewards which a job could not store are refused in one line."""

import json
from pathlib import Path

import pytest

from parity.driver.reward_limits import REWARD_BYTES, read_rewards
from parity.driver.sandbox import TooLargeError
from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Script
from parity.operations.scenarios.settings import AgentSettings
from parity.runners.clean_room.scenarios import run_trial_scenario
from parity.scorer.series import OFFICIAL


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "5,368,709,120 bytes, more than the 1,048,576"),
        (dict.fromkeys(map(str, range(1001)), 1), "1,001 keys, more than the 1,000"),
        ({"a" * 50_000: 1, "b" * 50_001: 1}, "100,001 characters in keys, more than the 100,000"),
    ],
    ids=["large file", "many keys", "long keys"],
)
def test_rewards_that_a_job_cannot_store_are_refused(
    tmp_path: Path, content: dict[str, int] | None, problem: str
) -> None:
    """A file that is too large is refused without being read; too many or too long keys are refused, too."""
    with (tmp_path / "reward.json").open("w") as file:
        if content is None:
            file.truncate(5 << 30)
        else:
            json.dump(content, file)

    with pytest.raises(TooLargeError, match=rf"^reward.json has {problem} that are allowed$"):
        read_rewards(tmp_path, OFFICIAL)


def test_only_the_reward_file_that_is_used_is_limited(tmp_path: Path) -> None:
    """Only the reward file that is used has a size limit."""
    (tmp_path / "reward.json").write_text('{"a": 1}')
    (tmp_path / "reward.txt").write_text("1" * (REWARD_BYTES + 1))

    assert read_rewards(tmp_path, OFFICIAL) == {"a": 1}


def test_largest_number_of_keys_is_accepted(tmp_path: Path) -> None:
    """A file with the largest allowed number of keys, each of the largest allowed length, is accepted."""
    rewards = dict.fromkeys((f"{number:0100}" for number in range(1000)), 1)
    (tmp_path / "reward.json").write_text(json.dumps(rewards))

    assert read_rewards(tmp_path, OFFICIAL) == rewards


def test_largest_file_is_accepted(tmp_path: Path) -> None:
    """A file of the largest allowed size is accepted."""
    (tmp_path / "reward.txt").write_text("1".rjust(REWARD_BYTES))

    assert read_rewards(tmp_path, OFFICIAL) == {"reward": 1.0}


def test_keys_of_all_steps_are_limited_together(tmp_path: Path) -> None:
    """A trial whose steps together have too many keys ends with an error and without rewards."""
    task = TaskFiles(
        '[[steps]]\nname = "a"\n[[steps]]\nname = "b"\n',
        {"environment/": "", "tests/test.sh": "", "steps/a/instruction.md": "", "steps/b/instruction.md": ""},
    )
    rewards = [dict.fromkeys((f"{step}{number}" for number in range(501)), 1) for step in "ab"]
    script = Script(tests=[{"/logs/verifier/reward.json": json.dumps(each)} for each in rewards])

    result = run_trial_scenario(TrialScenario(task, ScenarioSettings(AgentSettings("nop")), script), tmp_path)["result"]

    assert result["exception_info"]["exception_type"] == "TooLargeError"
    assert result["verifier_result"] is None
