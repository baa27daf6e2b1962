"""Leaves out the bridges to what is not installed, and says so."""

from importlib import import_module

_BRIDGES = {
    "hud_harbor": "HarborEvaluation",
    "inspect_harbor_scorer": "HarborScorer",
    "pier_verifier": "PierVerifier",
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

collect_ignore = [f"test_{name}.py" for name in _MISSING]


def pytest_report_header() -> list[str]:
    """Which bridges are not tested, and why."""
    return [f"bridge {name} is NOT TESTED: {why}" for name, why in _MISSING.items()]
