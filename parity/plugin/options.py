"""The suite's options, and the check that they fit together."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import pytest

from parity.plugin.golden_fixture import is_recording

type ProfileName = Literal["quick", "default", "thorough"]
"""A profile of `parity.plugin.profiles`."""


@dataclass(frozen=True)
class Call:
    """The call of `assert_parity` that a run is made for."""

    runner: object
    """The runner, or a class or function that makes it; None if the options name it."""

    again: str
    """The command that makes the call again."""


CALL = pytest.StashKey[Call]()
CLASHES = pytest.StashKey[dict[str, str]]()
"""A line for each option whose name is already used by another plugin."""

_PACKAGE = Path(__file__).resolve().parents[1]
_MOST_SECONDS = 1_000_000


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if number >= _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is too long; give less than {_MOST_SECONDS:,} seconds")
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


_OPTIONS: dict[str, dict[str, Any]] = {
    "runner": {
        "metavar": "SPEC",
        "help": "the runner under test: clean-room (default), or package.module:name of a runner or of its maker",
    },
    "runner-cmd": {
        "metavar": "COMMAND",
        "help": "the runner under test: a program in any language, asked over a pipe, one JSON object a line",
    },
    "reference": {
        "default": "harbor",
        "metavar": "WHICH",
        "help": "where expected answers come from: the installed harbor (default); 0.13.1 or another release, in an "
        "environment of its own that is made once in the cache directory; newest or pre, the newest release or "
        "pre-release that uv finds; the harbor of another interpreter, by its path; or golden, the recorded answers "
        "to golden vectors alone, without generated cases",
    },
    "profile": {
        "default": "default",
        "choices": get_args(ProfileName.__value__),
        "help": "how many cases to generate: quick (half a minute, two if wrong), default (before a release), "
        "thorough (hours)",
    },
    "seed": {
        "type": _seed,
        "metavar": "N",
        "help": "the seed of all generated cases; fixed by default, but fresh in the thorough profile",
    },
    "replay": {
        "action": "append",
        "default": [],
        "metavar": "FILE",
        "help": "ask only the case in this file, as a divergence report names it; may be repeated",
    },
    "divergences": {
        "action": "append",
        "default": [],
        "metavar": "FILE",
        "help": "a file of declared divergences, which are known and do not fail the run; may be repeated",
    },
    "write-divergences": {
        "metavar": "FILE",
        "help": "draft such a file from all divergences that the run finds, instead of failing",
    },
    "case-timeout": {
        "type": _seconds,
        "default": 10.0,
        "metavar": "SECONDS",
        "help": "how long the runner may take for one case (default: 10)",
    },
    "report": {
        "action": "append",
        "default": [],
        "metavar": "FILE",
        "help": "write a record of the run to this file (.json); may be repeated",
    },
}


def add_options(parser: pytest.Parser) -> dict[str, str]:
    """Add the suite's options. An option is `--parity-NAME` if another plugin already uses its name.

    Returns:
        A line for each name that another plugin already uses.
    """
    clashing = [name for name in _OPTIONS if _has_option(parser, name)]
    group = parser.getgroup("parity", "harbor-parity: does a runner score exactly as harbor does?")
    for name, settings in _OPTIONS.items():
        flag = f"--parity-{name}" if name in clashing else f"--{name}"
        group.addoption(flag, dest=f"parity_{name.replace('-', '_')}", **settings)
    return {
        f"--{name}": f"parity warning: --{name} is an option of another plugin here; the suite's is --parity-{name}"
        for name in clashing
    }


def relative(path: Path) -> str:
    """Return a path inside the current directory relative to that directory, and any other path unchanged."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def suite_command(config: pytest.Config, *options: str) -> str:
    """Return a command that runs the suite with these options, under names that no other plugin uses."""
    clashing = config.stash[CLASHES]
    renamed = [f"--parity-{each.removeprefix('--')}" if each in clashing else each for each in options]
    return shlex.join(["pytest", *_suite_arguments(), *renamed])


def replay_command(config: pytest.Config, path: Path, options: list[str]) -> str:
    """Return the command that runs the case of a replay file again, or the call of `assert_parity` that does.

    Args:
        config: the configuration of the run.
        path: the file.
        options: the options that name the reference and the runner.
    """
    if CALL not in config.stash:
        return suite_command(config, "--replay", relative(path), *options)
    named = f", reference={options[options.index('--reference') + 1]!r}" if "--reference" in options else ""
    return f"assert_parity(…, replay={str(path)!r}{named})"


def _suite_arguments() -> list[str]:
    """Return `parity/` if the current directory contains this package, else the arguments that name the package."""
    here = Path("parity")
    return ["parity/"] if here.is_dir() and here.samefile(_PACKAGE) else ["--pyargs", "parity"]


def _has_option(parser: pytest.Parser, name: str) -> bool:
    """Return whether another plugin has an option of this name."""
    argument = f"--{name}=1"
    try:
        return argument not in parser.parse_known_and_unknown_args([argument])[1]
    except (pytest.UsageError, SystemExit):  # the option exists, but accepts no value, or not this one
        return True


def check_options(options: argparse.Namespace) -> None:
    """Check that options fit together.

    Raises:
        UsageError: two options do not fit together.
    """
    if options.parity_runner is not None and options.parity_runner_cmd is not None:
        raise pytest.UsageError("--runner and --runner-cmd both name the runner under test: give one of them")
    if options.parity_reference == "golden":
        if is_recording(options):
            raise pytest.UsageError("--snapshot-update asks harbor and --reference golden does not: give one of them")
    elif options.parity_reference != "harbor" and is_recording(options):
        raise pytest.UsageError(
            "--snapshot-update records from the harbor that is installed beside it: leave out --reference"
        )
    if options.parity_write_divergences is None:
        return
    if options.parity_replay:
        raise pytest.UsageError("--write-divergences needs the findings of the suite: leave out --replay")
    if options.parity_report:
        why = "--write-divergences passes whatever the runner does"
        raise pytest.UsageError(f"{why}, so there is nothing to --report")
    if has_workers(options) or getattr(options, "tx", None) or getattr(options, "numprocesses", None):
        raise pytest.UsageError("--write-divergences needs the run in one process: leave out -n")


def has_workers(options: argparse.Namespace) -> bool:
    """Return whether pytest-xdist runs the tests in other processes."""
    return getattr(options, "dist", "no") != "no"
