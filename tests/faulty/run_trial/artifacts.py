"""Faults in what trials carry out of their sandboxes: artifacts and logs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from parity.driver import artifacts, multi_step, trial_life
from parity.driver.places import LOGS_OF_AGENT
from parity.driver.single_step import SingleStep
from parity.driver.task_config import Artifact
from parity.driver.trial_life import TrialLife
from parity.driver.trial_sandbox import TrialSandbox
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_trial.fault import TrialFault


class MissingArtifactsAreErrors(TrialFault):
    """Ends a trial whose artifact cannot be downloaded."""

    breaks = "run-trial/artifact-failure"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def download(*arguments: Any) -> dict[str, str]:
                entry: dict[str, str] = await original(*arguments)
                if entry["status"] == "failed":
                    raise FileNotFoundError(entry["source"])
                return entry

            return download

        return replaced(artifacts, "_download", changed)


class UnknownArtifactsAreFiles(TrialFault):
    """Takes an artifact that cannot be looked at for a file."""

    breaks = "run-trial/artifact-failure"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def is_folder(sandbox: TrialSandbox, path: str) -> bool:
                try:
                    return bool(await original(sandbox, path))
                except Exception:
                    return False

            return is_folder

        return replaced(TrialSandbox, "is_folder", changed)


class NothingIsExcluded(TrialFault):
    """Downloads folders whole."""

    breaks = "run-trial/artifact-exclude"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def download(sandbox: Any, artifact: Artifact, target: Path) -> None:
                await original(sandbox, replace(artifact, exclude=()), target)

            return download

        return replaced(artifacts, "_download_folder", changed)


class ArchivesStay(TrialFault):
    """Leaves the archive of an artifact in the sandbox."""

    breaks = "run-trial/artifact-exclude"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def exec_(sandbox: TrialSandbox, command: str, **options: Any) -> Any:
                return None if command.startswith("rm -f") else await original(sandbox, command, **options)

            return exec_

        return replaced(TrialSandbox, "exec", changed)


class ConventionComesLast(TrialFault):
    """Downloads /logs/artifacts after all others."""

    breaks = "run-trial/artifact-convention"

    def wrong(self) -> Patch:
        return replaced(
            trial_life, "all_artifacts", lambda original: lambda given: [*original(given)[1:], *original(given)[:1]]
        )


class DestinationsAreFlat(TrialFault):
    """Puts artifacts right into the folder, by the last part of their names."""

    breaks = "run-trial/artifact-destination"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def flat(folder: Path, artifact: Artifact) -> Path:
                place: Path = original(folder, artifact)
                return place if place == folder else folder / place.name

            return flat

        return replaced(artifacts, "host_path", changed)


class OwnManifestsStay(TrialFault):
    """Writes no manifest where an artifact has its name."""

    breaks = "run-trial/artifact-manifest"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def write(folder: Path, entries: Any) -> None:
                if not (folder / "manifest.json").exists():
                    original(folder, entries)

            return write

        return replaced(artifacts, "_write_manifest", changed)


class LogsAreNotReturned(TrialFault):
    """Does not upload the agent's logs again."""

    breaks = "run-trial/agent-logs"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def return_logs(life: TrialLife) -> None:
                return None

            return return_logs

        return replaced(TrialLife, "return_agent_logs", changed)


class LostLogsAreErrors(TrialFault):
    """Ends a trial whose logs cannot be uploaded again."""

    breaks = "run-trial/logs-failure"
    seen_by = "test_injected_fault_in_each_call"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def return_logs(life: TrialLife) -> None:
                await life.sandbox.upload(life.folder.agent, LOGS_OF_AGENT)

            return return_logs

        return replaced(TrialLife, "return_agent_logs", changed)


class NothingIsSaved(TrialFault):
    """Does not save logs and artifacts after an error."""

    breaks = "run-trial/recovery"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def recover(work: Any) -> None:
                await work._life.stop()

            return recover

        return replaced(SingleStep, "recover", changed)


class StepsLeaveTheirFiles(TrialFault):
    """Does not move what a step left to the step's folder."""

    breaks = "run-trial/step-archive"

    def wrong(self) -> Patch:
        return replaced(multi_step, "move_contents", lambda original: lambda source, target: None)


class ErrorsAreNotRecorded(TrialFault):
    """Writes no exception.txt."""

    breaks = "run-trial/files"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def fail(life: TrialLife, error: BaseException) -> None:
                original(life, error)
                (life.folder.path / "exception.txt").unlink(missing_ok=True)

            return fail

        return replaced(TrialLife, "fail", changed)
