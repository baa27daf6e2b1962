"""Runs of the suite on unruly runners."""

import subprocess
from pathlib import Path

from tests.running import run_pytest

UNRULY = "tests.faulty.unruly"


FIRST_GOLDENS = "(golden and (read_reward or aggregate or pass_at_k))"


ROOT = Path(__file__).resolve().parent.parent


def run_suite(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run pytest with these arguments, in an environment for unruly runners."""
    return run_pytest("-p", "no:cacheprovider", *arguments, cwd=cwd)


def run_quick(runner: str, selected: str, cwd: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run some tests of the suite in the quick profile, on an unruly runner."""
    spec = f"{UNRULY}:{runner}"
    return run_suite("--pyargs", "parity", "--profile", "quick", "--runner", spec, "-k", selected, *more, cwd=cwd)
