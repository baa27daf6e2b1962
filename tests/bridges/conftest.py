"""Leaves out the bridges to what is not installed, and says so."""

import os
from importlib import import_module

_BRIDGES = {
    "benchflow_verifier": "BenchFlowVerifier",
    "evalscope_skillsbench": "SkillsBench",
    "hud_harbor": "HarborEvaluation",
    "inspect_harbor_scorer": "HarborScorer",
    "nemo_gym_anyterminal": "AnyTerminal",
    "openenv_harbor_rollout": "OpenEnvRollout",
    "pier_verifier": "PierVerifier",
    "seaport_run": "SeaportRun",
    "strands_harbor_reward": "StrandsReward",
    "terminalbench_cube": "CubeTask",
    "tinker_harbor_reward": "TinkerReward",
    "trl_harbor_env": "TrlReward",
    "verifiers_composable": "HarborRubric",
    "verifiers_harbor_env": "HarborEnv",
    "verifiers_harbor_reward": "HarborReward",
    "verifiers_taskset": "HarborTaskset",
}


def _missing(bridge: str, runner: str) -> str | None:
    """Why the bridge cannot be asked here, or None."""
    try:
        getattr(import_module(f"parity.runners.bridges.{bridge}"), runner)()
    except ImportError as error:
        return str(error)
    return None


_MISSING = {name: why for name, runner in _BRIDGES.items() if (why := _missing(name, runner)) is not None}
if not os.environ.get("PROMPT_LIBRARY"):
    _MISSING["prompt_library"] = "the variable PROMPT_LIBRARY names no checkout of prompt-library"

collect_ignore = [f"test_{name}.py" for name in _MISSING]


def pytest_report_header() -> list[str]:
    """Which bridges are not tested, and why."""
    return [f"bridge {name} is NOT TESTED: {why}" for name, why in _MISSING.items()]
