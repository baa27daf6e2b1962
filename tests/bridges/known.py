"""The answers that releases were observed to give through each bridge, and the calls to their sandboxes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import nan
from typing import Any

from tests.bridges.asking import FILES

_NOT_FOUND, _EMPTY = "RewardFileNotFoundError", "RewardFileEmptyError"
_UNPARSED, _INVALID, _NO_OBJECT = "VerifierOutputParseError", "ValidationError", "AttributeError"

_NO_FILE = {"nothing": _NOT_FOUND, "empty": _EMPTY}
"""Harbor's errors for a missing file and for an empty file."""

_UPLOAD, _ALLOW, _RUN = "^upload /tests$", r"^chmod \+x /tests/test\.sh$", r"/tests/test\.sh"
_REMOVE = "^rm -f -- /logs/verifier/reward"
_ARCHIVE = r"^upload /tmp/harbor_tests\.tar\.gz$", r"tar -xzf /tmp/harbor_tests\.tar\.gz", r"^bash test\.sh$"
_OF_VERIFIERS = *_ARCHIVE, r"cat /logs/verifier/reward\.txt"
_OF_TASKSET = r"^write /tmp/tests\.tgz$", r"tar -xzf /tmp/tests\.tgz", r"test\.sh$", ""


def _answers(rest: float | str, **others: float | str | dict[str, float]) -> dict[str, str]:
    """Return an answer for each case: the name of an exception, or rewards; a number stands for the only reward."""
    given = {**dict.fromkeys(FILES, rest), **others}
    return {case: each if isinstance(each, str) else repr(_rewards(each)) for case, each in given.items()}


def _rewards(given: float | dict[str, float]) -> dict[str, float]:
    return given if isinstance(given, dict) else {"reward": given}


_TXT_FIRST = _answers(0.0, json_and_txt=0.5, true=1.0, quoted=1.5, nan=nan)
_TXT_FIRST_OF_OBJECTS = {**_TXT_FIRST, "list": _NO_OBJECT, "null": _NO_OBJECT}
_TXT_ALONE = _answers(0.0, json_and_txt=0.5, nan=nan)
_EARLY_INSPECT = _answers(_UNPARSED, json_and_txt=0.5, **_NO_FILE, true=1.0, quoted=1.5, nan=nan, no_reward_key=2.0)


@dataclass(frozen=True)
class Known:
    """A bridge's known answers, for the releases with one version prefix."""

    bridge: str
    """The bridge's module."""

    runner: str
    """The bridge's class."""

    answers: Mapping[str, str]
    calls: Sequence[str] = ()
    """The calls to the sandbox, one pattern each; empty if they are not tested here."""

    asked_on: str = "nothing"
    """The case whose calls are listed."""

    releases: str = ""
    """The beginning of the releases' numbers."""

    def make(self) -> Any:
        """Return a new bridge.

        Raises:
            ImportError: the bridge's package is not installed.
        """
        return getattr(import_module(f"parity.runners.bridges.{self.bridge}"), self.runner)()


KNOWN = (
    # reward.json first, from which it takes finite numbers and bools; a fault is a ScriptError.
    Known(
        "ageval_harbor",
        "Ageval",
        _answers("ScriptError", json_and_txt=0.25, true=1.0, no_reward_key="ValueError"),
        (r"^/tests/test\.sh$", r"^cat /logs/verifier/reward\.json$", r"^cat /logs/verifier/reward\.txt$"),
    ),
    # Both files must agree, and a reward is a finite number from 0 to 1.
    Known(
        "benchflow_verifier",
        "BenchFlowVerifier",
        _answers(_UNPARSED, **_NO_FILE),
        ("rm -rf /logs/verifier", _UPLOAD, _ALLOW, r"^/tests/test\.sh", "^download /logs/verifier$"),
    ),
    # reward.json first, then reward.txt; what is no number is left out.
    Known(
        "braintrust_artifacts",
        "BraintrustReward",
        _answers("{}", json_and_txt=0.25, true=1.0, nan=nan, no_reward_key={"a": 2.0, "b": 3.0}),
    ),
    # reward.txt alone, and every fault is 0.0.
    Known(
        "evalscope_skillsbench",
        "SkillsBench",
        _TXT_ALONE,
        (
            "^put /verifier$",
            "^rm -rf /logs/verifier && mkdir -p /logs/verifier$",
            r"^bash /verifier/test\.sh",
            *(rf"^\S+ '/logs/verifier/{name}'" for name in (r"test-stdout\.txt", r"reward\.txt", r"ctrf\.json")),
        ),
    ),
    # reward.json first, from which it takes one finite number; a fault is a result marked as an error.
    Known("hud_harbor", "HarborEvaluation", _answers("EvaluationError", json_and_txt=0.25)),
    # 0.6 puts reward.txt first, 1.0 reward.json, from which it takes only finite numbers.
    Known("inspect_harbor_scorer", "HarborScorer", _EARLY_INSPECT, releases="0."),
    Known(
        "inspect_harbor_scorer",
        "HarborScorer",
        {**_EARLY_INSPECT, "json_and_txt": "{'reward': 0.25}", "quoted": _UNPARSED, "nan": _UNPARSED},
        releases="1.",
    ),
    # reward.txt alone, and without a number in it the exit code counts: 0 is 1.0.
    Known(
        "nemo_evaluator_harbor",
        "NemoEvaluator",
        _answers(1.0, json_and_txt=0.5, nan=nan),
        (
            "^mkdir -p /tests /logs/verifier$",
            r"^upload /tests/test\.sh$",
            r"^chmod -R \+x /tests/$",
            r"bash /tests/test\.sh$",
            r"^download /logs/verifier/report\.json$",
            r"^download /logs/verifier/reward\.txt$",
            r"^download /reward\.txt$",
        ),
    ),
    # NeMo Gym: reward.txt alone, 1.0 where it is above 0; reward.json alone, 0.0 or 1.0; reward.txt alone; all rewards.
    Known("nemo_gym_graders", "AnyTerminal", _answers(0.0, json_and_txt=1.0), (_RUN,)),
    Known("nemo_gym_graders", "DeepSWE", _answers(0.0, true=1.0), (_RUN, r"^test -f /logs/verifier/reward\.json$")),
    Known("nemo_gym_graders", "TerminalBench21", _TXT_ALONE, (_RUN, r"^download /logs/verifier/reward\.txt$")),
    Known(
        "nemo_gym_graders",
        "TerminalBench4",
        _answers(_UNPARSED, json_and_txt=0.25, **_NO_FILE, true=True, no_reward_key={"a": 2, "b": 3}),
        (_ALLOW, _RUN, "^tar -czf ", "^download /tmp/", "^rm -f /tmp/"),
    ),
    # On Harbor 0.26.0: Harbor's rewards, which become floats; errors are Harbor's own.
    Known(
        "openenv_harbor_rollout",
        "OpenEnvRollout",
        _answers(_UNPARSED, json_and_txt=0.25, **_NO_FILE, true=1.0, no_reward_key={"a": 2.0, "b": 3.0}),
        (_REMOVE, _UPLOAD, _ALLOW, _RUN),
    ),
    # The order of early Harbor: reward.txt first.
    Known(
        "pier_verifier",
        "PierVerifier",
        _answers(
            _INVALID,
            json_and_txt=0.5,
            **_NO_FILE,
            true=1.0,
            quoted=1.5,
            nan=nan,
            null="None",
            no_reward_key={"a": 2, "b": 3},
        ),
        (_UPLOAD, _ALLOW, _RUN),
    ),
    # reward.json first, of whose values the numbers alone are read; a fault is an errored trial.
    Known(
        "seaport_run",
        "SeaportRun",
        _answers("TrialError", json_and_txt=0.25, nan=nan, no_reward_key={"a": 2.0, "b": 3.0}),
    ),
    # On Harbor 0.26.0: Harbor's reward, which becomes a float; whatever fails is 0.0.
    Known(
        "strands_harbor_reward",
        "StrandsReward",
        _answers(0.0, json_and_txt=0.25, true=1.0),
        ("^mkdir -p /logs/verifier$", _REMOVE, _UPLOAD, _ALLOW, _RUN),
    ),
    # reward.txt alone, and every fault is 0.0.
    Known(
        "terminalbench_cube",
        "CubeTask",
        _TXT_ALONE,
        (
            r"/tmp/fakehome/\.local/bin/uv",
            r"bash /tmp/tests/test\.sh$",
            r"^\S+ /tmp/logs/verifier/ctrf\.json",
            r"^\S+ /tmp/logs/verifier/reward\.txt",
        ),
    ),
    # reward.txt first, and every fault is 0.0.
    Known(
        "tinker_harbor_reward",
        "TinkerReward",
        _TXT_FIRST,
        (
            *("^mkdir -p /tests$", r"^write /tests/test\.sh$", "^mkdir -p /logs/verifier$", r"^bash /tests/test\.sh$"),
            *(r"^read /logs/verifier/reward\.txt$", r"^read /logs/verifier/reward\.json$"),
        ),
    ),
    # On Harbor 0.13.1: Harbor's rewards, but one becomes a float; errors are Harbor's own.
    Known(
        "trl_harbor_env",
        "TrlReward",
        _answers(_INVALID, json_and_txt=0.25, **_NO_FILE, true=1.0, quoted=1.5, nan=nan, null=0.0, no_reward_key=2.0),
        ("^empty /logs/verifier$", _UPLOAD, _ALLOW, _RUN),
    ),
    # reward.json first, then reward.txt: a finite number from 0 to 1.
    Known("verifyit_native", "Verifyit", _answers("ValueError", json_and_txt=0.25, quoted="RuntimeError")),
    # reward.txt first; what is no object is an AttributeError, and other faults are 0.0.
    Known("verifiers_composable", "HarborRubric", _TXT_FIRST_OF_OBJECTS, _OF_VERIFIERS),
    Known("verifiers_harbor_env", "HarborEnv", _TXT_FIRST, _OF_VERIFIERS, releases="0.1.9"),
    *(
        Known("verifiers_harbor_env", "HarborEnv", _TXT_FIRST_OF_OBJECTS, _OF_VERIFIERS, releases=releases)
        for releases in ("0.1.1", "0.2", "0.3")
    ),
    # The function of 0.1.14: reward.txt first, and what is no object is 0.0.
    Known("verifiers_harbor_reward", "HarborReward", _TXT_FIRST, _OF_VERIFIERS),
    # 0.2 knows reward.txt alone, 0.3 puts reward.json first, and 0.4 raises faults.
    Known("verifiers_taskset", "HarborTaskset", _TXT_ALONE, _OF_TASKSET, "json_and_txt", "0.2"),
    Known(
        "verifiers_taskset",
        "HarborTaskset",
        _answers(0.0, json_and_txt=0.25, nan=nan, no_reward_key={"a": 2.0, "b": 3.0}),
        _OF_TASKSET,
        "json_and_txt",
        "0.3",
    ),
    Known(
        "verifiers_taskset",
        "HarborTaskset",
        _answers("TaskError", json_and_txt=0.25),
        (*_OF_TASKSET, ""),
        "json_and_txt",
        "0.4",
    ),
)


def _of_installed(runners: Mapping[str, Known]) -> tuple[dict[str, Known], dict[str, str]]:
    here, missing = {}, {}
    for name, any_release in runners.items():
        try:
            made = any_release.make()
        except ImportError as error:
            missing[any_release.bridge] = str(error)
            continue
        same = [known for known in KNOWN if known.runner == name]
        here[name] = next(known for known in same if f"{made.name} ".partition(" ")[2].startswith(known.releases))
    return here, missing


HERE, MISSING = _of_installed({known.runner: known for known in KNOWN})
"""Runners that can be asked here, with the answers of their installed releases; why other bridges cannot be asked."""
