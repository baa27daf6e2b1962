"""Faults of `run_trial`: verification, its own sandbox, and what steps bring."""

from typing import Any

from parity.driver import trial_life
from parity.driver.multi_step import MultiStep
from parity.driver.places import LOGS_OF_AGENT, TESTS
from parity.driver.trial_life import TrialLife
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_trial.fault import TrialFault


class TestsAreUploadedTwice(TrialFault):
    """Uploads the tests to a sandbox that was built with them."""

    breaks = "run-trial/separate-has-tests"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def verify(tests: Verifier, sandbox: Any, folder: Any, step: Any, *, has_tests: bool) -> Any:
                return await original(tests, sandbox, folder, step, has_tests=False)

            return verify

        return replaced(Verifier, "verify", changed)


class DisabledVerificationVerifies(TrialFault):
    """Verifies although that is disabled."""

    breaks = "run-trial/verification-disabled"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def init(life: Any, *arguments: Any) -> None:
                original(life, *arguments)
                life.verifies = True

            return init

        return replaced(TrialLife, "__init__", changed)


class LogsPileUp(TrialFault):
    """Begins a step with the agent's logs of the step before."""

    breaks = "run-trial/logs-reset"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def empty(sandbox: TrialSandbox, folder: str, *, open_to_all: bool) -> None:
                if folder != LOGS_OF_AGENT:
                    await original(sandbox, folder, open_to_all=open_to_all)

            return empty

        return replaced(TrialSandbox, "empty", changed)


class OldTestsStay(TrialFault):
    """Verifies a step with the tests of the step before still there."""

    breaks = "run-trial/logs-reset"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def empty(sandbox: TrialSandbox, folder: str, *, open_to_all: bool) -> None:
                if folder != TESTS:
                    await original(sandbox, folder, open_to_all=open_to_all)

            return empty

        return replaced(TrialSandbox, "empty", changed)


class BothSandboxesRun(TrialFault):
    """Keeps the agent's sandbox while a verifier has its own."""

    breaks = "run-trial/stop-before-separate"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def late(original: Any) -> Any:
            async def stop(life: Any) -> None:
                if life.record.failure is None and not _is_verified(life):
                    return
                await original(life)

            return stop

        return replaced(TrialLife, "stop", late)


def _is_verified(life: TrialLife) -> bool:
    parts = [*(life.record.steps or ()), life.record]
    return not life.verifies or any(part.verifier is not None for part in parts)


class ArtifactsStayBehind(TrialFault):
    """Gives a verifier's own sandbox no artifacts."""

    breaks = "run-trial/artifacts-for-verifier"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def upload(sandbox: Any, folder: Any, artifacts: Any) -> None:
                return None

            return upload

        return replaced(trial_life, "upload_artifacts", changed)


class StepsAreNotPrepared(TrialFault):
    """Does not upload a step's files."""

    breaks = "run-trial/step-preparation"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def prepare(steps: MultiStep, step: Any, record: Any) -> None:
                with replaced(TrialSandbox, "upload", lambda upload: _nothing):
                    await original(steps, step, record)

            return prepare

        return replaced(MultiStep, "_prepare", changed)


class FailedSetUpsDoNotMatter(TrialFault):
    """Lets the agent work after a set-up that failed."""

    breaks = "run-trial/step-preparation"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def set_up(steps: MultiStep, step: Any, record: Any, script: str) -> None:
                await original(steps, step, record, script)
                record.failure = None

            return set_up

        return replaced(MultiStep, "_set_up", changed)


async def _nothing(*arguments: Any, **options: Any) -> None:
    pass
