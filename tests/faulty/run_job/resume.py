"""Faults in how jobs go on from what earlier runs left."""

from typing import Any
from unittest import mock

from parity.driver import job as running
from parity.driver.documents import kept_lock, models, resume
from parity.driver.documents.resume import EarlierRuns, ResumeError
from parity.scorer.errors import ValidationError
from parity.scorer.from_disk.reading import Misfit, Model
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_job.fault import JobFault


class ResumeFault(JobFault):
    """A runner that goes on with jobs wrong."""

    seen_by = "test_refusals"


def with_earlier(change: Any) -> Patch:
    """Jobs that go on from something else than what they should."""

    def changed(original: Any) -> Any:
        def found(settings: Any, planned: Any, **options: Any) -> EarlierRuns | None:
            earlier = original(settings, planned, **options)
            return None if earlier is None else change(earlier, planned)

        return found

    return replaced(running, "resume", changed)


class LostRewardsGoOn(ResumeFault):
    """Takes a reward that was written as null for nan, and goes on."""

    breaks = "run-job/resume-not-finite"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def read(document: Any, place: str = "") -> Any:
                return original(_without_nulls(document), place)

            return read

        return replaced(resume, "TRIAL_RESULT", changed)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    if not isinstance(value, dict):
        return value
    plain = {name: _without_nulls(item) for name, item in value.items()}
    if isinstance(plain.get("rewards"), dict):
        plain["rewards"] = {key: float("nan") if item is None else item for key, item in plain["rewards"].items()}
    return plain


class DamagedTrialsRunAgain(ResumeFault):
    """Runs a trial again whose result cannot be read."""

    breaks = "run-job/resume-damaged"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def read(folder: Any) -> Any:
                try:
                    return original(folder)
                except ResumeError:
                    return None

            return read

        return replaced(resume, "_trial", changed)


class FieldsAreNotLookedAt(ResumeFault):
    """Takes any value for the parts of a trial's result that the stats do not need."""

    breaks = "run-job/resume-damaged"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def read(document: Any, place: str = "") -> Any:
                unneeded = {"environment_setup", "agent_setup", "agent_execution", "verifier", "config", "id"}
                if not isinstance(document, dict) or not isinstance(document.get("config"), dict):
                    return original(document, place)
                kept = {name: value for name, value in document.items() if name not in unneeded}
                return original({**kept, "config": {"task": {"path": "x"}}}, place)

            return read

        return replaced(resume, "TRIAL_RESULT", changed)


class MissingConfigurationsAreInvalid(ResumeFault):
    """Calls the missing configuration of a trial that has ended a ValidationError."""

    breaks = "run-job/resume-damaged"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def read(*arguments: Any) -> Any:
                try:
                    return original(*arguments)
                except ResumeError as error:
                    raise ResumeError(str(error), ValidationError) from None

            return read

        return replaced(resume, "_read", changed)


class NoConfigurationIsFresh(ResumeFault):
    """Starts anew in a folder with a result.json and no config.json."""

    breaks = "run-job/resume-without-config"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        return replaced(resume, "_check_fresh", lambda original: lambda job: None)


class AnyLockIsKept(ResumeFault):
    """Writes its own lock.json over whatever an earlier run left."""

    breaks = "run-job/resume-lock"

    def wrong(self) -> Patch:
        return replaced(running, "kept_lock", lambda original: lambda path, fresh: fresh)


class NoExclusionIsTheSame(ResumeFault):
    """Takes what a lock.json leaves out for the null that it was."""

    breaks = "run-job/resume-lock"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def compared(fresh: Any, found: Any) -> Any:
                return original({**fresh, "retry": {**found["retry"]}}, found)

            return compared

        return replaced(kept_lock, "_difference", changed)


class UnknownFieldsAreRefused(ResumeFault):
    """Refuses a document that holds what no model knows."""

    breaks = "run-job/resume-otherwise"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def read(model: Model, value: object, place: str = "") -> Any:
                if isinstance(value, dict) and {"unknown", "more"} & value.keys():
                    raise Misfit(f"{place}.unknown is not known")
                return original(model, value, place)

            return read

        return replaced(Model, "__call__", changed)


class DefaultsAreRequired(ResumeFault):
    """Takes a document for that of another job if it lacks what has a default."""

    breaks = "run-job/resume-otherwise"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def read(model: Model, value: object, place: str = "") -> Any:
                given = dict(model._given)
                missing = [] if not isinstance(value, dict) else [name for name in given if name not in value]
                if model is models.JOB_CONFIG and set(missing) - {"trial_results"}:
                    raise Misfit(f"{missing[0]} is missing")
                return original(model, value, place)

            return read

        return replaced(Model, "__call__", changed)


class OtherSettingsGoOn(ResumeFault):
    """Goes on with whatever settings it has now."""

    breaks = "run-job/resume-settings"

    def wrong(self) -> Patch:
        return replaced(resume, "_check_settings", lambda original: lambda *arguments: None)


class SeatsAreNoSetting(ResumeFault):
    """Goes on with another number of trials at a time."""

    breaks = "run-job/resume-settings"

    def wrong(self) -> Patch:
        more = {"job_name", "debug", "n_concurrent_trials"}
        return mock.patch("parity.driver.documents.equality._NOT_OF_THE_JOB", frozenset(more))


class DebugIsASetting(ResumeFault):
    """Takes a job for another one because of `debug`."""

    breaks = "run-job/resume-settings"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        return mock.patch("parity.driver.documents.equality._NOT_OF_THE_JOB", frozenset({"job_name"}))
