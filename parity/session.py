"""One run of the suite: which reference, which runner, which cases, and what came of it."""

import locale
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

import pytest

from parity.asking import Clock
from parity.checking import Checker
from parity.declared import MOST, Declaration, Declarations, DeclarationsError, Draft, read_all_declarations
from parity.divergence import Divergence
from parity.findings import Recorder
from parity.goldens import in_checkout
from parity.operations import OPERATIONS, Operation
from parity.operations.operation import DESCRIPTION
from parity.operations.privileges import binds_programs
from parity.profiles import PROFILES, Profile, ignore_local_constants, prepare, search_by_counts_alone, sow
from parity.reference import ENVIRONMENT_FILE, Identity, WheelError, load_for, open_reference, strayed_packages
from parity.reference.coverage import CannotMeasure, Monitor, open_monitor
from parity.reference.released import installed_release
from parity.replay import Replay, ReplayError, WrittenReplay, read_replay
from parity.report.divergences import divergence_record
from parity.report.record import Declaration as ReportedDeclaration
from parity.runners import CleanRoom, Runner, RunnerError, claims, load_runner
from parity.runners.pipe import PipeError, PipeRunner
from parity.tally import Tally

REPLAY_FOLDER = Path(".parity")
_UNBOUND = (
    "parity beware: this process is root without CAP_SETPCAP, so programs that the runner starts read also what file "
    "modes forbid, and its verdict on such files depends on how it reads; run the suite as an ordinary user"
)


class SessionError(Exception):
    """The run cannot start; one line that says why and what to do."""


@dataclass(repr=False)
class Session:
    """Everything that the plugin, the suite and the summary share."""

    identity: Identity
    checker: Checker
    runner_spec: str
    """How the runner was named."""

    runner_options: list[str]
    """The options that name it."""

    profile: Profile
    seed: int
    replays: list[Replay]
    replay_folder: Path
    """Where replay files go; taken when the run starts, because a runner may change the current folder."""

    draft_path: Path | None = None
    """Where declared divergences are to be written."""

    monitor: Monitor | None = None
    """Sees what of the wheel is reached, where a report is to be written."""

    test: str = ""
    """The test that runs, by its file and name."""

    complaint: str | None = None
    """What a program under test did wrong when it was ended."""

    traces: bool = False
    """Whether every error of the runner is told with its traceback, also where Harbor raises such an error."""

    @property
    def tally(self) -> Tally:
        return self.checker.tally

    def header(self) -> list[str]:
        """What was asked, of whom, and with which settings."""
        who = self.identity
        asked = "nobody (--generate-only)" if not self.checker.asks else self.checker.runner.name
        released = installed_release()
        documented = [f"parity reference of documented scoring: verifiers {released}"] if released else []
        described = [name for name, operation in OPERATIONS.items() if operation.authority(frozenset()) == DESCRIPTION]
        strays = [f"parity beware: {stray} (see {ENVIRONMENT_FILE})" for stray in strayed_packages()]
        rights = [] if binds_programs() else [_UNBOUND]
        return [
            f"parity reference: harbor {who.harbor} (wheel {who.wheel[:16]}), "
            f"{who.implementation} {who.python} (series {who.series}), "
            f"pydantic {who.pydantic}, pydantic-core {who.pydantic_core}",
            f"parity runner: {asked} ({self.runner_spec}), profile {self.profile.name}, seed {self.seed}, "
            f"case timeout {self._limit()}, encoding {locale.getencoding()}, "
            f"hypothesis {version('hypothesis')}",
            *documented,
            f"parity reference of {' and '.join(described)}: {DESCRIPTION}",
            *strays,
            *rights,
        ]

    @property
    def case_timeout(self) -> float | None:
        """Seconds that the runner may think about a case; None where nothing can stop it."""
        works = self.checker.clock.works or isinstance(self.checker.runner, PipeRunner)
        return self.checker.clock.seconds if works else None

    def _limit(self) -> str:
        return "none (not the main thread)" if self.case_timeout is None else f"{self.case_timeout:g} s"

    def stop_measuring(self) -> None:
        """Take down what was reached of the wheel; nothing counts from here on."""
        if self.monitor:
            self.monitor.close()
            for module, places in self.monitor.reached.items():
                self.tally.reached[module] |= places
            self.monitor = None

    def close(self) -> None:
        """Stop measuring, and end the program under test."""
        self.stop_measuring()
        self.end_program()

    def end_program(self) -> None:
        """End the program under test, if it is one that runs."""
        if isinstance(self.checker.runner, PipeRunner):
            self.complaint = self.checker.runner.close() or self.complaint

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """What the runner is declared to do otherwise, or was before the draft that is being made."""
        draft = self.checker.draft
        return draft.earlier if draft else self.checker.declarations.entries

    def note_witness(self, declaration: Declaration, divergence: Divergence) -> None:
        """Take down a witness that stands as it is declared."""
        told = ReportedDeclaration(declaration.class_, declaration.reason)
        replay = WrittenReplay(f"it is declared at {declaration.at()}", None)
        self.tally.note_drawn(divergence.rule.slug, divergence.harm, declared=True)
        record = divergence_record(divergence, replay, declared=told, tests=(self.test,))
        self.tally.told.append({"record": record, "rows": [], "more": [], "traceback": []})

    def unmatched(self) -> list[Declaration]:
        """Declarations that covered no case; meaningful where the whole suite ran."""
        if self.profile.name == "quick" or not self.checker.asks:
            return []
        return [each for each in self.checker.declarations.entries if not self._is_matched(each)]

    def wide(self) -> list[tuple[Declaration, int]]:
        """Declarations in whose region most generated cases of the operation lie, and how many do."""
        counts = self.tally.operations
        held = ((entry, counts[entry.operation].held[entry.name]) for entry in self.checker.declarations.entries)
        return [(entry, count) for entry, count in held if count > MOST * counts[entry.operation].cases]

    def _is_matched(self, entry: Declaration) -> bool:
        """Whether a case diverged in the region, or the reference cannot tell that here."""
        counts = self.tally.operations[entry.operation]
        return bool(counts.regions[entry.name]) or any(told.startswith(f"{entry.name}: ") for told in counts.unjudged)

    def skip_witness(self, declaration: Declaration, reason: str) -> NoReturn:
        """Leave a witness that the reference cannot answer here, and say so in the summary."""
        told = f"{declaration.name}: {reason}"
        self.tally.operations[declaration.operation].unjudged[told] += 1
        pytest.skip(told)

    def write_draft(self) -> list[str]:
        """Write the drafted declarations; how many there are, and what became of earlier ones, as lines.

        Raises:
            SessionError: they cannot be written.
        """
        draft, path = self.checker.draft, self.draft_path
        assert draft is not None
        assert path is not None
        entries, notes = draft.entries(self.checker.explain)
        who = f"{self.checker.runner.name} scores otherwise than harbor {self.identity.harbor}"
        try:
            written = path.with_name(f"{path.name}.new")
            written.write_text("".join([f"# Where {who}.\n", *entries]), encoding="utf-8")
            written.replace(path)
        except OSError as error:
            raise SessionError(f"cannot be written: {error.strerror}") from None
        count = f"{len(entries)} declared divergences; say why each is there, and pass it with --divergences"
        return [count, *notes]

    def prepare(self, item: pytest.Item) -> None:
        """Make the reference ready for a test's operation; skip one that the runner does not claim, saying so.

        Raises:
            SessionError: the wheel has not all that the operation needs.
        """
        try:
            for operation in (*self.asked(item), *(replay.operation.name for replay in self.replays)):
                load_for(operation)
        except WheelError as error:
            raise SessionError(str(error)) from error
        marker = item.get_closest_marker("operation")
        if marker and not claims(self.checker.runner, marker.args[0]):
            item.add_marker(pytest.mark.skip(reason=f"not claimed: {self.checker.runner.name} has no {marker.args[0]}"))

    def asked(self, item: pytest.Item) -> list[str]:
        """The operations that a test asks for; empty where it belongs to none."""
        if marker := item.get_closest_marker("operation"):
            return [marker.args[0]]
        if item.get_closest_marker("replay"):
            return list(dict.fromkeys(replay.operation.name for replay in self.replays))
        given = getattr(getattr(item, "callspec", None), "params", {}).values()
        return [
            *(each.name for each in given if isinstance(each, Operation)),
            *(each.operation for each in given if isinstance(each, Declaration)),
        ]

    def scale(self, test: Any) -> int:
        """Give a test that draws cases the profile's settings, once; how many shards it makes."""
        if not hasattr(test, "default_cases"):
            return 1
        if not hasattr(test, "is_scaled"):
            prepare(test, self.profile)
            test.is_scaled = True
        return self.profile.shards

    def begin(self, item: pytest.Item) -> None:
        """Seed a test that draws cases, forget what the test before it has found, and see what it reaches."""
        self.checker.begin_test()
        self.test = f"{item.path.name}::{item.name}"
        if self.monitor:
            self.monitor.arm()
        test: Any = getattr(item, "obj", None)
        if hasattr(test, "default_cases"):
            callspec: Any = getattr(item, "callspec", None)
            sow(test, self.seed + (callspec.params["shard"] if callspec else 0))

    def tell_findings(self, error: BaseException, replay_command: Callable[[Path], str]) -> str | None:
        """What the section of a failed test says, its divergences recorded; None where it failed for another reason."""
        return Recorder(self.checker, self.replay_folder, self.test, replay_command, self.traces).record(error)

    def unreached_flags(self) -> dict[str, list[str]]:
        """Flags that no case carried, by operation, where all cases were drawn; for a run of the whole suite."""
        if self.profile.name == "quick" or not self.checker.asks:
            return {}
        drawn = [name for name, counts in self.tally.operations.items() if counts.cases and not counts.cut_short]
        return {name: missing for name in drawn if (missing := self.tally.missing_flags(name))}


def open_session(options: Any) -> Session:
    """Verify the reference, load the runner and read the replay files that the options name.

    Raises:
        SessionError: any of it cannot be had.
    """
    _use_utf8()
    ignore_local_constants()
    search_by_counts_alone()
    if options.update_snapshots:
        _allow_recording()
    profile = PROFILES[options.parity_profile]
    draft_path = _draft_path(options)
    try:
        replays = [read_replay(Path(name)) for name in options.parity_replay]
        declarations = read_all_declarations(map(Path, options.parity_divergences), revising=bool(draft_path))
        reference = open_reference()
        runner, runner_options = _runner(options)  # the last, because it may start a program
    except (WheelError, RunnerError, PipeError, ReplayError, DeclarationsError) as error:
        raise SessionError(str(error)) from error
    if options.parity_seed is None:  # xdist hands the options on, so that all workers share a fresh seed
        options.parity_seed = profile.seed()
    checker = Checker(
        reference.authorities,
        runner,
        Clock(options.parity_case_timeout),
        asks=not options.parity_generate_only,
        declarations=Declarations(() if draft_path else declarations),
        draft=Draft(declarations) if draft_path else None,
    )
    session = Session(
        reference.identity,
        checker,
        runner_options[-1] if runner_options else CleanRoom.name,
        runner_options,
        profile,
        options.parity_seed,
        replays,
        Path.cwd() / REPLAY_FOLDER,
        draft_path,
        traces=bool(replays) and options.verbose > 1,
    )
    if options.parity_report:
        _measure(session)
    return session


def _measure(session: Session) -> None:
    try:
        session.monitor = open_monitor()
    except CannotMeasure as error:
        session.tally.unmeasured = str(error)


def _draft_path(options: Any) -> Path | None:
    """Where to draft declared divergences, if anywhere.

    Raises:
        SessionError: no file can be written there, or one must not be.
    """
    if options.parity_write_divergences is None:
        return None
    path = Path(options.parity_write_divergences).absolute()
    why = None
    if not options.parity_write_divergences or path.is_dir():
        why = "name a file, not a folder"
    elif not path.parent.is_dir():
        why = f"there is no folder {path.parent}"
    elif not os.access(path.parent, os.W_OK | os.X_OK):
        why = f"{path.parent} is not writable"
    if why:
        named = f"--write-divergences {options.parity_write_divergences!r}"
        raise SessionError(f"{named}: no file can be written there: {why}")
    given = [Path(name).absolute() for name in options.parity_divergences]
    if path.exists() and path not in given:
        raise SessionError(
            f"{options.parity_write_divergences} is there; to revise it, give it with --divergences, too, or remove it"
        )
    return path


def _runner(options: Any) -> tuple[Runner, list[str]]:
    """The runner under test, and the options that name it.

    Raises:
        RunnerError: it cannot be loaded.
        PipeError: it cannot be started.
    """
    if options.parity_runner_cmd is not None:
        program: Any = PipeRunner(options.parity_runner_cmd)
        return program, ["--runner-cmd", options.parity_runner_cmd]
    if options.parity_runner is not None and options.parity_runner != CleanRoom.name:
        return load_runner(options.parity_runner), ["--runner", options.parity_runner]
    return CleanRoom(), []


def _use_utf8() -> None:
    """Harbor decodes reward files with the locale's encoding, so the suite runs under one that is UTF-8."""
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
    strays = strayed_packages()
    if strays:
        raise SessionError(
            f"goldens are recorded in the pinned environment only, but {', '.join(strays)}; "
            f"install it with: pip install -c {ENVIRONMENT_FILE} harbor pydantic pydantic-core"
        )
