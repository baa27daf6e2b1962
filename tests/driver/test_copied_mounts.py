"""Tests for sandboxes with copied log directories, like those of `parity run`.

Harbor mounts these directories, so no golden vector covers the copying.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from parity.driver.places import LOGS_OF_ARTIFACTS
from parity.driver.sandbox import TooLargeError
from parity.operations.scenarios.plain import PLAIN_TASK
from parity.operations.scenarios.scenario import ScenarioSettings, TaskFiles, TrialScenario
from parity.operations.scenarios.scripted_sandbox import Effect, Script, ScriptedSandbox
from parity.operations.scenarios.settings import AgentSettings
from parity.runners.clean_room import scenarios

_NOP = ScenarioSettings(AgentSettings("nop"))
_TESTS_RUN = 7
"""The index of the call that runs the tests, if the agent does nothing."""

_REFRESHED = 9
"""The index of the call that then downloads the artifacts again."""

_STEPS = TaskFiles(
    '[[steps]]\nname = "a"\n[[steps]]\nname = "b"\n',
    {"environment/": "", "tests/test.sh": "", "steps/a/instruction.md": "", "steps/b/instruction.md": ""},
)
_SOLVED = TaskFiles(PLAIN_TASK.toml, {**PLAIN_TASK.files, "solution/solve.sh": ""})
_ONE = Script({}, (), ({"/logs/verifier/reward.txt": "1"},) * 2)


class _Copying(ScriptedSandbox):
    """A scripted sandbox that copies the host's directories instead of mounting them."""

    imitates_mounts = True


class _Overflowing(ScriptedSandbox):
    """A scripted sandbox whose verifier's directory is too large to download."""

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        if source == "/logs/verifier":
            raise TooLargeError("too much")
        await super().get(source, target, directory=directory, max_bytes=max_bytes)


class _WithoutArtifacts(_Copying):
    """A copying sandbox in which every transfer of artifacts fails."""

    async def put(self, source: Path, target: str) -> None:
        await super().put(source, target)
        if target == LOGS_OF_ARTIFACTS:
            raise OSError("no upload")

    async def get(self, source: str, target: Path, *, directory: bool, max_bytes: int | None = None) -> None:
        await super().get(source, target, directory=directory, max_bytes=max_bytes)
        if source == LOGS_OF_ARTIFACTS:
            raise OSError("no download")


@pytest.fixture
def copying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all scripted sandboxes copy log directories."""
    monkeypatch.setattr(scenarios, "ScriptedSandbox", _Copying)


def _calls(scenario: TrialScenario, directory: Path, purpose: str) -> list[Mapping[str, Any]]:
    """Return the details of the trial's calls that have this purpose."""
    record = scenarios.run_trial_scenario(scenario, directory)
    return [call[purpose] for call in record["calls"] if purpose in call]


@pytest.mark.usefixtures("copying")
def test_all_logs_are_emptied_before_the_next_step(tmp_path: Path) -> None:
    """Before the next step, one command empties all log directories and gives all users access to them."""
    calls = scenarios.run_trial_scenario(TrialScenario(_STEPS, _NOP, _ONE), tmp_path)["calls"]

    after_tests = [next(iter(call)) for call in calls].index("run-tests")
    emptied = {place: call["empty-folder"]["command"] for place, call in enumerate(calls) if "empty-folder" in call}
    of_agent = {place: command for place, command in emptied.items() if "/logs/agent" in command}
    commands = list(of_agent.values())
    assert [place > after_tests for place in of_agent] == [True]
    assert all(f"/logs/{name}" in commands[0] for name in ("verifier", "artifacts"))
    assert commands[0].count("chmod 777") == 3


@pytest.mark.usefixtures("copying")
@pytest.mark.parametrize("code", [0, 7])
def test_agent_logs_are_uploaded_after_a_failed_solution(code: int, tmp_path: Path) -> None:
    """After a failed solution, the agent's logs are uploaded with the exit code; otherwise they are not uploaded."""
    script = Script({4: Effect("exit", "", code)}, (), _ONE.tests)

    returned = _calls(TrialScenario(_SOLVED, ScenarioSettings(), script), tmp_path, "upload-agent-logs")

    assert [each["files"] for each in returned] == ([["exit-code.txt", "oracle.txt"]] if code else [])


@pytest.mark.usefixtures("copying")
@pytest.mark.parametrize(("effect", "times"), [(None, 2), (Effect("raise", "OSError"), 2), (Effect("cancel"), 1)])
def test_artifacts_are_downloaded_again_after_the_tests(effect: Effect | None, times: int, tmp_path: Path) -> None:
    """Artifacts are downloaded again after the tests, which may change them, except in a cancelled trial."""
    script = Script({_TESTS_RUN: effect} if effect else {}, (), _ONE.tests)

    downloads = _calls(TrialScenario(PLAIN_TASK, _NOP, script), tmp_path, "download-artifact")

    assert len(downloads) == times


@pytest.mark.usefixtures("copying")
def test_agent_logs_are_downloaded_again_after_the_tests(tmp_path: Path) -> None:
    """The agent's logs are downloaded again after the tests, which may have written to them."""
    calls = scenarios.run_trial_scenario(TrialScenario(PLAIN_TASK, _NOP, _ONE), tmp_path)["calls"]

    purposes = [next(iter(call)) for call in calls]
    after_tests = purposes[purposes.index("run-tests") :]
    assert (purposes.count("download-agent-logs"), after_tests.count("download-agent-logs")) == (2, 1)


@pytest.mark.usefixtures("copying")
def test_verifier_files_are_downloaded_after_its_timeout(tmp_path: Path) -> None:
    """After the verifier's timeout, its files are downloaded, but its rewards are not used."""
    script = Script({_TESTS_RUN: Effect("wait", number=3600)}, (), _ONE.tests)
    task = TaskFiles(f"{PLAIN_TASK.toml}\n[verifier]\ntimeout_sec = 60\n", PLAIN_TASK.files)

    record = scenarios.run_trial_scenario(TrialScenario(task, _NOP, script), tmp_path)

    assert record["result"]["exception_info"]["exception_type"] == "VerifierTimeoutError"
    assert record["result"]["verifier_result"] is None
    assert [next(iter(call)) for call in record["calls"]].count("download-verifier-logs") == 1


@pytest.mark.parametrize("destination", ["/logs/artifacts", "deep/below"])
def test_failed_transfer_of_artifacts_does_not_end_the_trial(
    destination: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Artifacts that were transferred before the error are kept, and are not downloaded again after the tests."""
    monkeypatch.setattr(scenarios, "ScriptedSandbox", _WithoutArtifacts)
    task = TaskFiles(
        f'artifacts = [{{source = "/logs/artifacts", destination = "{destination}"}}]\n{PLAIN_TASK.toml}',
        PLAIN_TASK.files,
    )

    record = scenarios.run_trial_scenario(TrialScenario(task, _NOP, _ONE), tmp_path)

    assert record["result"]["verifier_result"] == {"rewards": {"reward": 1.0}}
    assert record["result"]["exception_info"] is None
    assert len([call for call in record["calls"] if "download-artifact" in call]) == 1


@pytest.mark.usefixtures("copying")
@pytest.mark.parametrize("destination", ["taken", "x" * 300, "taken/below"])
def test_artifacts_that_cannot_be_stored_do_not_end_the_trial(destination: str, tmp_path: Path) -> None:
    """A trial goes on if its artifacts directory cannot be created, because of its name or an existing file."""
    convention = f'{{source = "/logs/artifacts", destination = "{destination}"}}'
    toml = f'artifacts = [{{source = "/a.txt", destination = "taken"}}, {convention}]\n{PLAIN_TASK.toml}'
    script = Script({}, [{"/a.txt": ""}], _ONE.tests)
    task = TaskFiles(toml, _SOLVED.files)

    result = scenarios.run_trial_scenario(TrialScenario(task, ScenarioSettings(), script), tmp_path)["result"]

    assert result["verifier_result"] == {"rewards": {"reward": 1.0}}
    assert result["exception_info"] is None


@pytest.mark.parametrize(
    ("effects", "kept"), [({}, ["artifacts/"]), ({_REFRESHED: Effect("raise", "OSError")}, ["artifacts/manifest.json"])]
)
@pytest.mark.usefixtures("copying")
def test_artifacts_are_kept_if_they_cannot_be_downloaded_again(
    effects: Mapping[int, Effect], kept: list[str], tmp_path: Path
) -> None:
    """The second download replaces the first one, which is kept if the second fails; nothing else is left."""
    record = scenarios.run_trial_scenario(TrialScenario(PLAIN_TASK, _NOP, Script(effects, (), _ONE.tests)), tmp_path)

    assert record["result"]["exception_info"] is None
    assert [name for name in record["files"] if name.startswith("artifacts")] == kept


def test_reward_files_are_downloaded_from_a_large_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the verifier's directory is too large to download, its reward files are still downloaded and used."""
    monkeypatch.setattr(scenarios, "ScriptedSandbox", _Overflowing)
    left = {"/logs/verifier/reward.json": '{"reward": 0.5}', "/logs/verifier/reward.txt": "1"}

    record = scenarios.run_trial_scenario(TrialScenario(PLAIN_TASK, _NOP, Script({}, (), (left,))), tmp_path)

    assert record["result"]["verifier_result"] == {"rewards": {"reward": 0.5}}
    assert [record["files"][f"verifier/{name}"] for name in ("reward.json", "reward.txt")] == list(left.values())
