"""Opens a session: verifies the reference, loads the runner, and reads the files that options name."""

import locale
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from parity.operations.files.directories import ROOM, check_room
from parity.operations.goldens import GoldenError, in_checkout, vector_of
from parity.operations.rules import OPERATION_OF
from parity.plugin.collection import verifies_goldens
from parity.plugin.golden_fixture import is_recording
from parity.plugin.options import Call
from parity.plugin.profiles import PROFILES
from parity.plugin.session import REPLAY_DIRECTORY, Session, SessionError
from parity.reference import (
    NotInstalledError,
    Reference,
    SeparateReference,
    WheelError,
    open_reference,
    unpinned_packages,
)
from parity.reference.identity import GoldenOnly, recorded_identity
from parity.reference.releases import HARBOR_VERSION, install_command
from parity.reference.separate import environments
from parity.reference.separate.environments import NEWEST, Say, open_separate
from parity.runners import CleanRoom, Runner, RunnerError, claims, load_runner
from parity.runners.asking import Clock, end
from parity.runners.loading import LoadingLimit, checked_runner
from parity.runners.pipe import PipeError, PipeRunner
from parity.scorer.series import Series
from parity.suite.checker import Checker
from parity.suite.declared import Declaration, Declarations, DeclarationsError, Draft, read_all_declarations
from parity.suite.golden_recording import Recording
from parity.suite.replay import Replay, ReplayError, read_replay


def open_session(options: Any, say: Say, call: Call | None = None) -> Session:
    """Verify the reference, load the runner and read the replay files that the options name.

    Args:
        options: the options of the command line.
        say: a function that shows a line while the reference is being installed, which takes long.
        call: the call of `assert_parity` that the run is made for, if any.

    Raises:
        SessionError: the reference, the runner or a file cannot be used.
    """
    _use_utf8()
    if lack := lack_of_room():
        raise SessionError(lack)
    if is_recording(options):
        _allow_recording()
    profile = PROFILES[options.parity_profile]
    draft_path = _draft_path(options)
    try:
        replays = [read_replay(Path(name)) for name in options.parity_replay]
        if options.parity_reference == "golden":
            _check_recorded(zip(options.parity_replay, replays, strict=True))
        revising = draft_path is not None
        declarations = read_all_declarations(map(Path, options.parity_divergences), revising=revising)
        reference = _reference(options.parity_reference, say)
        identity = reference.identity if reference else recorded_identity()
        if options.parity_reference in NEWEST:  # xdist passes the options on, and replay commands name the release
            options.parity_reference = identity.harbor
        runner, runner_options = _runner(options, identity.series, say, call)  # last, because it may start a program
        if not revising:
            _check_claims(declarations, runner)
    except (WheelError, GoldenError, RunnerError, PipeError, ReplayError, DeclarationsError) as error:
        raise SessionError(str(error)) from error
    replay_directory = Path.cwd() / REPLAY_DIRECTORY
    if options.parity_seed is None:  # xdist passes the options on to workers, so all workers share a fresh seed
        options.parity_seed = profile.seed()
    checker = Checker(
        reference.wheel if reference else GoldenOnly(),
        runner,
        Clock(options.parity_case_timeout),
        verifies_goldens=verifies_goldens(options, reference, drawing=True),  # set again once tests are collected
        goldens_count=identity.harbor == HARBOR_VERSION,
        declarations=Declarations(() if draft_path else declarations),
        draft=Draft(declarations) if draft_path else None,
    )
    return Session(
        identity,
        checker,
        runner_options[-1] if runner_options else CleanRoom.name,
        [*_reference_options(options), *runner_options],
        profile,
        options.parity_seed,
        replays,
        replay_directory,
        draft_path,
        reference=reference,
        recording=Recording() if is_recording(options) else None,
    )


def _check_claims(declarations: Iterable[Declaration], runner: Runner) -> None:
    """Check that the runner has the operations of all declared divergences.

    Raises:
        DeclarationsError: it lacks one of them.
    """
    for entry in declarations:
        for rule in entry.rules:
            if not claims(runner, OPERATION_OF[rule].name):
                end(runner)
                why = f"{runner.name} has no {OPERATION_OF[rule].name}; remove the rule, or the entry"
                raise DeclarationsError(f"{entry.place(rule)}: {rule} cannot diverge, because {why}")


def _check_recorded(replays: Iterable[tuple[str, Replay]]) -> None:
    """Check that the golden vectors have an answer to each replayed case.

    Raises:
        ReplayError: a case is not a golden vector.
    """
    for name, replay in replays:
        if vector_of(replay.operation, replay.case) is None:
            raise ReplayError(
                f"{name}: its case is not a golden vector, so harbor must answer it: leave out --reference golden"
            )


def lack_of_room() -> str | None:
    """Return one line if the files of a case do not fit into the temporary directory; None if they do."""
    try:
        check_room()
    except OSError as error:
        return f"no room for files: {error}; free {ROOM >> 20} MB there, or name another directory by TMPDIR"
    return None


def show(config: pytest.Config, line: str) -> None:
    """Show a line before the session starts, although pytest already captures output."""
    with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        environments.show(line)


_NOT_INSTALLED = (
    f"Harbor {HARBOR_VERSION} is not installed here: `{install_command()}` to compare with the wheel "
    "itself, or `--reference golden` to compare with recorded answers, or "
    f"`--reference {HARBOR_VERSION}` to let uv make an environment"
)


def _reference(named: str, say: Say) -> Reference | SeparateReference | None:
    """Return the reference; None for the golden files.

    Raises:
        SessionError: Harbor is not installed, and the options name no other reference.
        WheelError: Harbor is not as it was published, or cannot be installed.
    """
    if named == "golden":
        return None
    if named == "harbor":
        try:
            return open_reference()
        except NotInstalledError:
            raise SessionError(_NOT_INSTALLED) from None
    try:
        return open_separate(named, say)
    except WheelError as error:
        repair = f"{error.repair}; or compare with golden vectors alone: --reference golden"
        raise WheelError(error.problem, repair) from error.__cause__


def _reference_options(options: Any) -> list[str]:
    """Return the option that names the reference, if there is one."""
    named = options.parity_reference != "harbor"
    return ["--reference", options.parity_reference] if named else []


def report_places(options: Any) -> list[Path]:
    """Return the paths of the files of `--report`.

    Raises:
        SessionError: one of them cannot be written.
    """
    if not options.parity_report:
        return []
    from parity.suite.report.report_files import ReportFileError, checked_paths

    try:
        return checked_paths(options.parity_report)
    except ReportFileError as error:
        raise SessionError(str(error)) from None


def _draft_path(options: Any) -> Path | None:
    """Return the file for drafted divergences, or None.

    Raises:
        SessionError: the file cannot be written, or exists and is not one of the files of `--divergences`.
    """
    if options.parity_write_divergences is None:
        return None
    path = Path(options.parity_write_divergences).absolute()
    reason = None
    if not options.parity_write_divergences or path.is_dir():
        reason = "name a file, not a directory"
    elif not path.parent.is_dir():
        reason = f"there is no directory {path.parent}"
    elif not os.access(path.parent, os.W_OK | os.X_OK):
        reason = f"{path.parent} is not writable"
    if reason:
        named = f"--write-divergences {options.parity_write_divergences!r}"
        raise SessionError(f"{named}: no file can be written there: {reason}")
    declared = [Path(name).absolute() for name in options.parity_divergences]
    if path.exists() and path not in declared:
        raise SessionError(
            f"{options.parity_write_divergences} exists; to revise it, give it with --divergences, too, or remove it"
        )
    return path


_LOADING_CASES = 6
"""Loading a runner may take this many times the limit for a case, because importing a large package may be slow."""


_OF_CALL = "the runner of assert_parity"


def _runner(options: Any, series: Series, say: Say, call: Call | None) -> tuple[Runner, list[str]]:
    """Return the runner under test, and the options that name it; show a line if loading it takes long.

    Raises:
        RunnerError: the runner cannot be loaded.
        PipeError: the program cannot be started.
    """
    if options.parity_runner_cmd is not None:
        program: Any = PipeRunner(options.parity_runner_cmd, series)
        return program, ["--runner-cmd", options.parity_runner_cmd]
    limit = LoadingLimit(_LOADING_CASES * options.parity_case_timeout, say)
    if call and call.runner is not None:
        return checked_runner(lambda: call.runner, _OF_CALL, limit), ["--runner", _OF_CALL]
    if options.parity_runner is not None and options.parity_runner != CleanRoom.name:
        return load_runner(options.parity_runner, limit=limit), ["--runner", options.parity_runner]
    return CleanRoom(series), []


def _use_utf8() -> None:
    """Set a locale with UTF-8, because Harbor decodes reward files with the encoding of the locale."""
    if locale.getencoding().upper() in ("UTF-8", "UTF8"):
        return
    try:
        locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
    except locale.Error:
        raise SessionError(
            f"the locale's encoding is {locale.getencoding()}, but the suite needs UTF-8; "
            "set LC_ALL to a locale that has it, such as en_US.UTF-8"
        ) from None


def _allow_recording() -> None:
    if not in_checkout():
        raise SessionError("goldens are recorded in a checkout of harbor-parity, not in an installed copy")
    unpinned = unpinned_packages()
    if unpinned:
        raise SessionError(
            f"goldens are recorded in the pinned environment only, but {', '.join(unpinned)}; "
            f"install it with: {install_command('harbor', 'pydantic', 'pydantic-core')}"
        )
