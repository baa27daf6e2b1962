"""Tests that programs for the results of verifiers read those of the class without verifiers."""

from pathlib import Path

import pytest
from openai import AsyncOpenAI
from verifiers.legacy.utils.eval_utils import print_results

from parity.harbor_env import HarborEnv, SandboxError
from tests.harbor_env.rollouts import environment, evaluated
from tests.harbor_env.verifiers.places import write_task
from tests.harbor_env.verifiers.rollouts import client


def test_results_are_printed_by_the_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The release prints results of the class without verifiers, with rewards, errors and times."""

    class Failing(HarborEnv):
        async def pre_mcp_setup(self, state: dict[str, object]) -> None:
            if state["task"] == "b":
                raise SandboxError("the agent was not uploaded") from OSError("no wire")

    write_task(write_task(tmp_path, "echo 0.5 > /logs/verifier/reward.txt", "a"), "true", "b")

    print_results(evaluated(Failing("true", tmp_path, docker_image="debian"), model="m"))

    printed = capsys.readouterr().out
    for line in (
        *("Environment: Failing", "Model: m", "Examples: 2", "Rollouts per example: 1", "r1: [0.5, 0.0]"),
        *("errors: avg - 0.500, std - 0.500", " - SandboxError -> OSError: 1.000", "  total "),
    ):
        assert line in printed


def test_agent_gets_the_url_of_a_client_of_the_release(tmp_path: Path) -> None:
    """The URL of a client of the release, and of one of openai, reaches the agent."""
    dataset = write_task(tmp_path, "true")
    openai = AsyncOpenAI(api_key="none", base_url="http://model.test/v1")

    outputs = [
        evaluated(environment(dataset, "echo $OPENAI_BASE_URL"), client=each)["state"][0]["agent_stdout"]
        for each in (client(), openai)
    ]

    assert outputs == ["http://127.0.0.1:1\n", "http://model.test/v1\n"]
