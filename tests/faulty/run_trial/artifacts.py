"""Faults in what trials carry out of their sandboxes: artifacts and logs."""

from pathlib import Path
from typing import Any

from parity.driver import artifacts, multi_step, trial_life
from parity.driver.places import LOGS_OF_AGENT
from parity.driver.single_step import SingleStep
from parity.driver.trial_life import TrialLife
from parity.formats.task import Artifact
from tests.faulty.fault import breaks
from tests.faulty.patches import instead_of


@breaks("run-trial/artifact-failure", seen_by="test_any_trial")
@instead_of(artifacts, "_download")
async def MissingArtifactsAreErrors(original: Any, *arguments: Any) -> dict[str, str]:
    """Ends a trial whose artifact cannot be downloaded."""
    entry: dict[str, str] = await original(*arguments)
    if entry["status"] == "failed":
        raise FileNotFoundError(entry["source"])
    return entry


@breaks("run-trial/artifact-exclude", seen_by="test_any_trial")
@instead_of(artifacts, "_download_without")
async def NothingIsExcluded(original: Any, sandbox: Any, artifact: Artifact, target: Path) -> None:
    """Downloads folders whole."""
    await sandbox.download(artifact.source, target)


@breaks("run-trial/artifact-convention", seen_by="test_any_trial")
@instead_of(trial_life, "all_artifacts")
def ConventionComesLast(original: Any, given: Any) -> Any:
    """Downloads /logs/artifacts after all others."""
    first, *others = original(given)
    return [*others, first]


@breaks("run-trial/artifact-destination", seen_by="test_any_trial")
@instead_of(artifacts, "host_path")
def DestinationsAreFlat(original: Any, folder: Path, artifact: Artifact) -> Path:
    """Puts artifacts right into the folder, by the last part of their names."""
    place: Path = original(folder, artifact)
    return place if place == folder else folder / place.name


@breaks("run-trial/artifact-manifest", seen_by="test_any_trial")
@instead_of(artifacts, "_write_manifest")
def OwnManifestsStay(original: Any, folder: Path, entries: Any) -> None:
    """Writes no manifest where an artifact has its name."""
    if not (folder / "manifest.json").exists():
        original(folder, entries)


@breaks("run-trial/agent-logs", seen_by="test_any_trial")
@instead_of(TrialLife, "return_agent_logs")
async def LogsAreNotReturned(original: Any, life: TrialLife) -> None:
    """Does not upload the agent's logs again."""


@breaks("run-trial/logs-failure", seen_by="test_injected_fault_in_each_call")
@instead_of(TrialLife, "return_agent_logs")
async def LostLogsAreErrors(original: Any, life: TrialLife) -> None:
    """Ends a trial whose logs cannot be uploaded again."""
    await life.sandbox.upload(life.folder.agent, LOGS_OF_AGENT)


@breaks("run-trial/recovery", seen_by="test_injected_faults")
@instead_of(SingleStep, "recover")
async def NothingIsSaved(original: Any, work: Any) -> None:
    """Does not save logs and artifacts after an error."""
    await work._life.stop()


@breaks("run-trial/step-archive", seen_by="test_any_trial")
@instead_of(multi_step, "move_contents")
def StepsLeaveTheirFiles(original: Any, source: Any, target: Any) -> None:
    """Does not move what a step left to the step's folder."""


@breaks("run-trial/files", seen_by="test_injected_faults")
@instead_of(TrialLife, "fail")
def ErrorsAreNotRecorded(original: Any, life: TrialLife, error: BaseException) -> None:
    """Writes no exception.txt."""
    original(life, error)
    (life.folder.path / "exception.txt").unlink(missing_ok=True)
