"""One run of the suite: its reference, its runner, its cases, and its results."""

import locale
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from parity.operations import OPERATIONS
from parity.operations.operation import HARBOR, Operation
from parity.reference import Identity, Reference, ReferenceLost, SeparateReference, WheelError
from parity.reference.identity import GoldenOnly
from parity.reference.releases import HARBOR_VERSION, constraints_of
from parity.runners import CleanRoom, claims
from parity.runners.asking import can_be_stopped, end
from parity.suite.checker import Checker
from parity.suite.declared import Declaration
from parity.suite.declared.drafting import MOST_ROUNDS
from parity.suite.declared.writing import entry_text
from parity.suite.findings import Recorder, keep_one_replay_a_rule
from parity.suite.golden_recording import Recording
from parity.suite.plugin.collection import draws, name_of, shard_of
from parity.suite.plugin.golden_fixture import is_recording, takes_goldens
from parity.suite.plugin.profiles import Profile, prepare, seed_test
from parity.suite.replay import Replay, remove_replays
from parity.suite.shapes import WrongShape, wrong_shape
from parity.suite.tally import Tally
from parity.suite.verdict import NOT_BY_REFERENCE, WRONG_SHAPE

REPLAY_DIRECTORY = Path(".parity")


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

    @property
    def tally(self) -> Tally:
        return self.checker.tally

    def header(self) -> list[str]:
        """Return the lines that name reference, runner and settings of the run."""
        identity = self.identity
        source = f"harbor {identity.harbor} (wheel {identity.wheel[:16]}{identity.trust})"
        if self.golden_only:
            source = f"golden vectors recorded from {source}, which is not asked"
        packages = self.reference.unpinned if self.reference else []
        unpinned = (
            [f"parity warning: {', '.join(packages)} (see {constraints_of(identity.harbor)})"] if packages else []
        )
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
        if not self.replays:
            self.tally.reported = keep_one_replay_a_rule(self.tally.reported, self.replay_directory)

    def prepare(self, item: pytest.Item) -> None:
        """Prepare the reference for a test's operation; skip the test, with a reason, if the runner does not claim it.

        Raises:
            SessionError: the wheel lacks something that the operation needs.
        """
        marker = item.get_closest_marker("operation")
        if marker and not claims(self.checker.runner, marker.args[0]):
            item.add_marker(pytest.mark.skip(reason=f"not claimed: {self.checker.runner.name} has no {marker.args[0]}"))
            return
        if why := self._reason_to_skip(item):
            item.add_marker(pytest.mark.skip(reason=why))
            return
        try:
            for operation in self.asked(item):
                if self.reference:
                    self.reference.load(operation)
        except (WheelError, ReferenceLost) as error:
            raise SessionError(str(error)) from error

    def _reason_to_skip(self, item: pytest.Item) -> str | None:
        """Return the reason why a test cannot use this release of Harbor, or None."""
        asked = self.asked(item)
        for operation in asked:
            if operation in self.lacking:
                return f"{NOT_BY_REFERENCE}: {operation}: {self.lacking[operation]}"
        uses_recorded = item.get_closest_marker("smoke") is not None or takes_goldens(item)
        if not uses_recorded or self.checker.goldens_count or item.get_closest_marker("operation"):
            return None
        is_recorded = not asked or any(OPERATIONS[each].authority(frozenset()) == HARBOR for each in asked)
        return f"the recorded answers are of harbor {HARBOR_VERSION}" if is_recorded else None

    def asked(self, item: pytest.Item) -> list[str]:
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
        return draft is not None and draws(item) and draft.skips_round(self.round_of(item))

    def begin(self, item: pytest.Item) -> None:
        """Prepare for a test: set its seed, discard earlier findings, and import the modules that it needs."""
        self.checker.begin_test(name_of(item))
        records = takes_goldens(item) and is_recording(item.config.option)  # asks no runner
        if isinstance(self.checker.runner, CleanRoom) and not records:
            for operation in self.asked(item):
                self.checker.runner.load(operation)
        if not records and not item.get_closest_marker("smoke"):
            for operation in self.asked(item):
                self._check_shape(operation)
        test: Any = getattr(item, "obj", None)
        if hasattr(test, "default_cases"):
            seed_test(test, self.seed + shard_of(item))

    def _check_shape(self, name: str) -> None:
        """Check the shape of the runner's first answers to an operation, once.

        The built-in runner and one with declared divergences are not checked, nor is one whose divergences are drafted.

        Raises:
            WrongShape: all of them have the wrong shape; the operation's other tests are skipped.
        """
        runner = self.checker.runner
        if self.replays or self.declarations or self.checker.draft:
            return
        if type(runner) is CleanRoom or not claims(runner, name):
            return
        if name in self.tally.shapes:
            pytest.skip(f"{name}: {WRONG_SHAPE}")
        if name in self._checked_shapes:
            return
        self._checked_shapes.add(name)
        with self.checker.clock.installed():
            sentence = wrong_shape(OPERATIONS[name], self.checker, self.identity.series)
        if sentence:
            self.tally.shapes[name] = sentence
            raise WrongShape(sentence)

    def report_findings(self, error: BaseException, replay_command: Callable[[Path], str]) -> str | None:
        """Record a failed test's divergences; return its section for the terminal, or None if it has no findings."""
        return Recorder(self.checker, self.replay_directory, self.checker.test, replay_command).record(error)
