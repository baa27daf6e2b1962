"""One run of the suite: its reference, its runner, its cases, and its results."""

import locale
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from importlib.metadata import version
from operator import or_
from pathlib import Path
from typing import Any, NoReturn

import pytest

from parity.operations import OPERATIONS
from parity.operations.finding import GoldenFinding, SuiteFinding
from parity.operations.operation import HARBOR, Operation
from parity.plugin.collection import draws, name_of, shard_of
from parity.plugin.golden_fixture import is_recording, takes_goldens
from parity.plugin.profiles import Profile, prepare, seed_test
from parity.plugin.run_end import reason_of
from parity.reference import Identity, Reference, ReferenceLost, SeparateReference, WheelError
from parity.reference.identity import GoldenOnly
from parity.reference.releases import HARBOR_VERSION, constraints_of, install_command
from parity.runners import CleanRoom, claims
from parity.runners.asking import can_be_stopped, end
from parity.suite.checker import Checker
from parity.suite.declared import Declaration
from parity.suite.declared.drafting import MOST_ROUNDS
from parity.suite.declared.writing import entry_text
from parity.suite.findings import Recorder, is_stale_only, undecided_part
from parity.suite.golden_recording import Recording
from parity.suite.records import Question
from parity.suite.replay import Replay, remove_replays
from parity.suite.run import Run, total, wrong_shapes
from parity.suite.shapes import WrongShape, wrong_shape
from parity.suite.verdict import NOT_BY_REFERENCE, WRONG_SHAPE

REPLAY_DIRECTORY = Path(".parity")


_LEFT_OUT = pytest.StashKey[str]()
"""The reason why the suite itself skips a test."""


class SessionError(Exception):
    """The run cannot start. The message is one line with the reason and the remedy."""


@dataclass(repr=False)
class Session:
    """The state that the plugin, the suite and the summary share."""

    identity: Identity
    checker: Checker
    runner_spec: str
    """The name of the runner, as on the command line."""

    options: list[str]
    """The options that name the reference and the runner."""

    profile: Profile
    seed: int
    replays: list[Replay]
    replay_directory: Path
    """The directory of replay files; read when the run starts, because a runner may change the current directory."""

    draft_path: Path | None = None
    """The file that drafted divergences are written to, if any."""

    reference: Reference | SeparateReference | None = None
    """The reference; None if the recorded answers to golden vectors are used instead."""

    run: Run = field(default_factory=Run)
    """What all tests found that have ended. The checker has what the running test has found."""

    parts: dict[str, Run] = field(default_factory=dict)
    """What each test found, by node id."""

    sections: dict[str, str] = field(default_factory=dict)
    """For the terminal, the findings of each test that has some, by node id."""

    lost: str | None = None
    """The reason why the reference no longer answers, which ended the run."""

    cut: bool = False
    """Whether the run ended early; set after the last test."""

    complaint: str | None = None
    """A mistake that the program under test made while it was being ended."""

    recording: Recording | None = None
    """The recording of the golden vectors, if they are recorded again; then no runner is called."""

    started_at: str = field(default_factory=lambda: datetime.now().astimezone().isoformat(timespec="seconds"))
    """The time when the run started, in ISO 8601 with its zone."""

    _checked_shapes: set[str] = field(default_factory=set)
    """The operations whose answers have been checked for their shape."""

    @property
    def golden_only(self) -> bool:
        """Whether the runner is asked only golden vectors, and its answers are compared with the recorded ones."""
        return isinstance(self.checker.reference, GoldenOnly)

    @property
    def lacking(self) -> Mapping[str, str]:
        """The operations that the reference does not answer, each with the reason."""
        return self.reference.lacking if self.reference else {}

    def header(self) -> list[str]:
        """Return the lines that name reference, runner and settings of the run."""
        identity = self.identity
        source = f"harbor {identity.harbor} (wheel {identity.wheel[:16]}{identity.trust})"
        if self.golden_only:
            source = f"golden vectors recorded from {source}, which is not asked"
        packages = self.reference.unpinned if self.reference else []
        remedy = (
            install_command("pydantic", "pydantic-core", release=identity.harbor)
            if isinstance(self.reference, Reference)
            else f"see {constraints_of(identity.harbor)}"
        )
        unpinned = [f"parity warning: {', '.join(packages)}; {remedy}"] if packages else []
        return [
            f"parity reference: {source}, "
            f"{identity.implementation} {identity.python} (series {identity.series}), "
            f"pydantic {identity.pydantic}, pydantic-core {identity.pydantic_core}",
            f"parity runner: {self.checker.runner.name} ({self.runner_spec}), case timeout {self._limit()}",
            f"parity settings: profile {self.profile.name}, seed {self.seed}, encoding {locale.getencoding()}, "
            f"hypothesis {version('hypothesis')}",
            *unpinned,
        ]

    @property
    def case_timeout(self) -> float | None:
        """The seconds that the runner may take for a case; None if nothing can stop it."""
        clock = self.checker.clock
        return clock.seconds if can_be_stopped(self.checker.runner, clock) else None

    def _limit(self) -> str:
        return "none (not the main thread)" if self.case_timeout is None else f"{self.case_timeout:g} s"

    def close(self) -> None:
        """End the program under test and the reference."""
        self.end_program()
        if self.reference:
            self.reference.close()

    def end_program(self) -> None:
        """End the program under test, if there is one."""
        self.complaint = end(self.checker.runner) or self.complaint

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """The runner's declared divergences; for a draft, the entries to revise."""
        draft = self.checker.draft
        return draft.earlier if draft else self.checker.declarations.entries

    def write_draft(self) -> list[str]:
        """Write the drafted declarations; return lines with their number, and with notes on dropped declarations.

        Raises:
            SessionError: the file cannot be written.
        """
        draft, path = self.checker.draft, self.draft_path
        assert draft is not None
        assert path is not None
        entries, notes = draft.entries()
        texts = [entry_text(entry, comment) for entry, comment in entries]
        title = f"{self.checker.runner.name} scores otherwise than harbor {self.identity.harbor}"
        try:
            written = path.with_name(f"{path.name}.new")
            written.write_text("".join([f"# Where {title}.\n", *texts]), encoding="utf-8")
            written.replace(path)
        except OSError as error:
            raise SessionError(f"cannot be written: {error.strerror}") from None
        lack = sum(not entry.reason.strip() for entry, _ in entries)
        count = f"{len(entries):,} {'entry' if len(entries) == 1 else 'entries'}"
        source = " from golden vectors alone, as harbor is not asked" if self.golden_only else draft.rounds
        todo = f"say why each differs ({lack:,} without a reason), and " if lack else ""
        return [f"{count}{source}; {todo}pass it with --divergences", *notes]

    def remove_replays(self) -> None:
        """Remove the replay files of the last run."""
        remove_replays(self.replay_directory)

    def keep_replays(self) -> None:
        """Keep one replay file for each broken rule; keep all if the run replays cases."""
        if self.replays:
            return
        before, self.run = self.run, self.run.with_one_replay_a_rule()
        for name in before.replay_files - self.run.replay_files:
            with suppress(OSError):
                (self.replay_directory / name).unlink(missing_ok=True)

    def prepare(self, item: pytest.Item) -> None:
        """Prepare the reference for a test's operation; skip the test, with a reason, if the runner does not claim it.

        Raises:
            SessionError: the wheel lacks something that the operation needs.
        """
        marker = item.get_closest_marker("operation")
        why = self._reason_to_skip(item)
        if marker and not claims(self.checker.runner, marker.args[0]):
            why = f"not claimed: {self.checker.runner.name} has no {marker.args[0]}"
        if why:
            item.stash[_LEFT_OUT] = why
            item.add_marker(pytest.mark.skip(reason=why))
            return
        try:
            for operation in self.operations_of(item):
                if self.reference:
                    self.reference.load(operation)
        except (WheelError, ReferenceLost) as error:
            raise SessionError(str(error)) from error

    def _reason_to_skip(self, item: pytest.Item) -> str | None:
        """Return the reason why a test cannot use this release of Harbor, or None."""
        operations = self.operations_of(item)
        for operation in operations:
            if operation in self.lacking:
                return f"{NOT_BY_REFERENCE}: {operation}: {self.lacking[operation]}"
        uses_recorded = item.get_closest_marker("smoke") is not None or takes_goldens(item)
        if not uses_recorded or self.checker.goldens_count or item.get_closest_marker("operation"):
            return None
        is_recorded = not operations or any(OPERATIONS[each].authority(frozenset()) == HARBOR for each in operations)
        return f"the recorded answers are of harbor {HARBOR_VERSION}" if is_recorded else None

    def operations_of(self, item: pytest.Item) -> list[str]:
        """Return the operations that a test calls; an empty list if it belongs to no operation."""
        if marker := item.get_closest_marker("operation"):
            return [marker.args[0]]
        if item.get_closest_marker("replay"):
            return list(dict.fromkeys(replay.operation.name for replay in self.replays))
        parameters = getattr(getattr(item, "callspec", None), "params", {}).values()
        return [each.name for each in parameters if isinstance(each, Operation)]

    def scale(self, test: Any) -> int:
        """Apply the profile's settings, once, to a test that generates cases; return its number of shards."""
        if not hasattr(test, "default_cases"):
            return 1
        if not hasattr(test, "is_scaled"):
            prepare(test, self.profile)
            test.is_scaled = True
        return self.items_per_test

    @property
    def items_per_test(self) -> int:
        """The number of items into which a test that generates cases is split, each with its own seed.

        The profile sets the number of shards; a draft has that many in each of its rounds.
        """
        return self.profile.shards * (MOST_ROUNDS if self.checker.draft else 1)

    def round_of(self, item: pytest.Item) -> int:
        """Return the round of a draft that an item belongs to, from 0; 0 in any other run."""
        return shard_of(item) // self.profile.shards

    def leaves_out(self, item: pytest.Item) -> bool:
        """Return whether a test is skipped because the run is a draft, and another round would hardly find more."""
        draft = self.checker.draft
        is_left_out = draft is not None and draws(item) and draft.skips_round(self.round_of(item))
        if is_left_out:
            self._add_part(item, Run(Counter([Question("test", "ended", test=name_of(item))])))
        return is_left_out

    def note_left_out(self, item: pytest.Item) -> None:
        """Note a test that is skipped because the runner or the reference does not claim its operation."""
        if (why := item.stash.get(_LEFT_OUT, None)) is not None:
            name = name_of(item)
            left_out = Question("test", "left-out", test=name, reason=why)
            self._add_part(item, Run(Counter([left_out, Question("test", "ended", test=name)])))

    @contextmanager
    def running(self, item: pytest.Item, replay_command: Callable[[Path], str]) -> Iterator[None]:
        """Run a test inside the `with` block, and count what it finds, whatever error ends it.

        A test that has found something is not run again, because nothing can undo that: it fails as before.

        Args:
            item: the test.
            replay_command: returns the command that replays the case in a file.
        """
        if item.nodeid in self.sections:
            raise SuiteFinding(self.sections[item.nodeid])
        self.checker.run = run = Run()
        error: BaseException | None = None
        try:
            with self.checker.running(name_of(item)):
                self.begin(item)
                yield
        except BaseException as raised:
            error = raised
            raise
        finally:
            try:
                self._count(item, error, replay_command)
            finally:
                self._add_part(item, run)

    def _count(self, item: pytest.Item, error: BaseException | None, replay_command: Callable[[Path], str]) -> None:
        """Count what a test found, and whether it got to its end."""
        checker = self.checker
        recorder = Recorder(checker, self.replay_directory, replay_command, repeats=isinstance(error, Exception | None))
        section = recorder.record(error)
        if section is not None:
            self.sections[item.nodeid] = section
        other = undecided_part(error)
        if other is None or total(checker.run.counts, "left-out", source="test"):
            checker.count("ended", source="test")
        else:
            concerned = other.operations if isinstance(other, GoldenFinding) else ()
            checker.run.count_failure(checker.test, concerned or self.operations_of(item), reason_of(other))
        if other is None and section is not None and not is_stale_only(error):
            checker.run.count_failure(checker.test, self.operations_of(item))

    def _add_part(self, item: pytest.Item, run: Run) -> None:
        """Add what a test found. If it was run before, for instance by a plugin that runs failed tests again, once."""
        is_again = item.nodeid in self.parts
        self.parts[item.nodeid] = run
        self.run = reduce(or_, self.parts.values()) if is_again else self.run | run

    def _skip(self, reason: str) -> NoReturn:
        """Skip the rest of the running test, which then counts as one that got to its end."""
        self.checker.count("left-out", source="test", reason=reason)
        pytest.skip(reason)

    def begin(self, item: pytest.Item) -> None:
        """Prepare for a test: set its seed, and import the modules that it needs."""
        records = takes_goldens(item) and is_recording(item.config.option)  # asks no runner
        if isinstance(self.checker.runner, CleanRoom) and not records:
            for operation in self.operations_of(item):
                with suppress(Exception):  # it saves the first case's time; a case that needs what fails shows it
                    self.checker.runner.load(operation)
        if not records and not item.get_closest_marker("smoke"):
            for operation in self.operations_of(item):
                self._check_shape(operation)
        test: Any = getattr(item, "obj", None)
        if hasattr(test, "default_cases"):
            seed_test(test, self.seed + shard_of(item))

    def _check_shape(self, name: str) -> None:
        """Check the shape of the runner's first answers to an operation, once.

        The built-in runner and one with declared divergences are not checked, nor is one whose divergences are drafted.

        Raises:
            WrongShape: none of them has the right shape; the operation's other tests are skipped.
        """
        runner = self.checker.runner
        if self.replays or self.declarations or self.checker.draft:
            return
        if type(runner) is CleanRoom or not claims(runner, name):
            return
        if name in wrong_shapes(self.run.counts):
            self._skip(f"{name}: {WRONG_SHAPE}")
        if name in self._checked_shapes:
            return
        self._checked_shapes.add(name)
        with self.checker.clock.installed():
            sentence = wrong_shape(OPERATIONS[name], self.checker, self.identity.series)
        if sentence:
            self.checker.count("wrong-shape", name, source="vector", reason=sentence)
            raise self.checker.keep(WrongShape(sentence))
