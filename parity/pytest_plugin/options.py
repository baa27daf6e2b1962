"""The suite's options, and which of them go together."""

from __future__ import annotations

import argparse

import pytest

from parity.judging.seconds import seconds


def add_options(parser: pytest.Parser) -> None:
    """Add the suite's options."""
    group = parser.getgroup("parity", "harbor-parity: does a runner score exactly as harbor does?")
    group.addoption(
        "--runner",
        dest="parity_runner",
        metavar="SPEC",
        help="the runner under test: clean-room (default), or package.module:name of a runner or of its maker",
    )
    group.addoption(
        "--runner-cmd",
        dest="parity_runner_cmd",
        metavar="COMMAND",
        help="the runner under test: a program in any language, spoken to over a pipe (see parity check-runner --help)",
    )
    group.addoption(
        "--profile",
        dest="parity_profile",
        default="default",
        choices=("quick", "default", "thorough"),
        help="how many cases to draw: quick (seconds), default (before a release), thorough (hours)",
    )
    group.addoption(
        "--seed",
        dest="parity_seed",
        type=_seed,
        metavar="N",
        help="the seed of all drawn cases; fixed by default, but fresh in the thorough profile",
    )
    group.addoption(
        "--replay",
        dest="parity_replay",
        action="append",
        default=[],
        metavar="FILE",
        help="ask only the case in this file, as a divergence report names it; may be repeated",
    )
    group.addoption(
        "--divergences",
        dest="parity_divergences",
        action="append",
        default=[],
        metavar="FILE",
        help="where the runner is known to score otherwise: a file of declared divergences; may be repeated",
    )
    group.addoption(
        "--write-divergences",
        dest="parity_write_divergences",
        metavar="FILE",
        help="draft such a file from all divergences that the run finds, instead of failing",
    )
    group.addoption(
        "--case-timeout",
        dest="parity_case_timeout",
        type=seconds,
        default=10.0,
        metavar="SECONDS",
        help="how long the runner may think about one case (default: 10)",
    )
    group.addoption(
        "--report",
        dest="parity_report",
        action="append",
        default=[],
        metavar="FILE",
        help="write what came of the run to this file: a page (.html) or a record (.json); may be repeated",
    )
    group.addoption(
        "--generate-only",
        dest="parity_generate_only",
        action="store_true",
        help="draw all cases, but ask nobody: the floor under the suite's speed",
    )


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)


def check_options(options: argparse.Namespace) -> None:
    """See that options go together.

    Raises:
        UsageError: some do not.
    """
    if options.parity_runner is not None and options.parity_runner_cmd is not None:
        raise pytest.UsageError("--runner and --runner-cmd both name the runner under test: give one of them")
    for option in ("replay", "report", "divergences"):
        if getattr(options, f"parity_{option}") and options.parity_generate_only:
            raise pytest.UsageError(f"--{option} asks and --generate-only does not: give one of them")
    if options.parity_write_divergences is None:
        return
    if options.parity_generate_only or options.parity_replay:
        other = "--generate-only" if options.parity_generate_only else "--replay"
        raise pytest.UsageError(f"--write-divergences needs what the suite finds: leave out {other}")
    if options.parity_report:
        raise pytest.UsageError("--write-divergences passes whatever the runner does, so there is nothing to --report")
    if has_workers(options) or getattr(options, "tx", None) or getattr(options, "numprocesses", None):
        raise pytest.UsageError("--write-divergences sees the whole run: leave out -n")


def has_workers(options: argparse.Namespace) -> bool:
    """Whether pytest-xdist runs the tests in other processes."""
    return getattr(options, "dist", "no") != "no"
