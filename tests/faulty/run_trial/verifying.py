"""Faults of `run_trial`: verification, its own sandbox, and what steps bring."""

from typing import Any

from parity.driver import trial_life
from parity.driver.multi_step import MultiStep
from parity.driver.places import LOGS_OF_AGENT
from parity.driver.trial_life import TrialLife
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from tests.faulty.fault import breaks
from tests.faulty.patches import instead_of, replaced


@breaks("run-trial/separate-has-tests", seen_by="test_any_trial")
@instead_of(Verifier, "verify")
async def TestsAreUploadedTwice(
    original: Any, tests: Verifier, sandbox: Any, folder: Any, step: Any, *, has_tests: bool
) -> Any:
    """Uploads the tests to a sandbox that was built with them."""
    return await original(tests, sandbox, folder, step, has_tests=False)


@breaks("run-trial/verification-disabled", seen_by="test_any_trial")
@instead_of(TrialLife, "__init__")
def DisabledVerificationVerifies(original: Any, life: Any, *arguments: Any) -> None:
    """Verifies although that is disabled."""
    original(life, *arguments)
    life.verifies = True


@breaks("run-trial/logs-reset", seen_by="test_any_trial")
@instead_of(TrialSandbox, "empty")
async def LogsPileUp(original: Any, sandbox: TrialSandbox, folder: str, *, open_to_all: bool) -> None:
    """Begins a step with the agent's logs of the step before."""
    if folder != LOGS_OF_AGENT:
        await original(sandbox, folder, open_to_all=open_to_all)


@breaks("run-trial/stop-before-separate", seen_by="test_injected_faults")
@instead_of(TrialLife, "stop")
async def BothSandboxesRun(original: Any, life: Any) -> None:
    """Keeps the agent's sandbox while a verifier has its own."""
    if life.record.failure is not None or _is_verified(life):
        await original(life)


def _is_verified(life: TrialLife) -> bool:
    parts = [*(life.record.steps or ()), life.record]
    return not life.verifies or any(part.verifier is not None for part in parts)


@breaks("run-trial/artifacts-for-verifier", seen_by="test_injected_faults")
@instead_of(trial_life, "upload_artifacts")
async def ArtifactsStayBehind(original: Any, sandbox: Any, folder: Any, artifacts: Any) -> None:
    """Gives a verifier's own sandbox no artifacts."""


@breaks("run-trial/step-preparation", seen_by="test_injected_faults")
@instead_of(MultiStep, "_prepare")
async def StepsAreNotPrepared(original: Any, steps: MultiStep, step: Any, record: Any) -> None:
    """Does not upload a step's files."""
    with replaced(TrialSandbox, "upload", lambda upload: _nothing):
        await original(steps, step, record)


async def _nothing(*arguments: Any, **options: Any) -> None:
    pass
