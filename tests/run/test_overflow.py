"""A metric beyond a double ends the job, as in Harbor, but only after the other trials have run."""

from pathlib import Path

import pytest

from parity.operations.scenarios.recording import Script
from tests.run.actions import run
from tests.run.conftest import SetScripts, rewarded

_HUGE = Script(tests=[{"/logs/verifier/reward.json": f'{{"reward": 1{"0" * 400}}}'}])


def test_the_other_trials_run_first(dataset: Path, capfd: pytest.CaptureFixture[str], scripts: SetScripts) -> None:
    """All trials have a result, and resuming runs none again and gives the same message."""
    scripts(lambda name, run: _HUGE if name.startswith("two") else rewarded("1"))

    runs = [run(capfd, dataset, "--job-name", "j", "-k", 3, "-n", 1, "-q") for _ in range(2)]

    results = {path: path.stat().st_mtime_ns for path in Path("jobs/j").glob("*/result.json")}
    assert [(ran.code, len(ran.err)) for ran in runs] == [(3, 1), (3, 1)]
    assert all(ran.err[0].startswith("parity run: jobs/j: a metric raises OverflowError") for ran in runs)
    assert len(results) == 6
