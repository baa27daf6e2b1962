"""`parity init`: writes a project's first runner, with a test, a workflow and a file of divergences."""

import argparse
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.streams import write

HELP = "write a first runner, a test of it, a workflow and a file of divergences into a project"

DESCRIPTION = """\
Write into a project the files that compare its scoring with Harbor's:

  parity_runner.py              a runner to fill in; with --language a complete program, in the folder parity-runner
  test_parity.py                a test that calls parity.assert_parity
  divergences.toml              declared divergences from Harbor's scores: none yet
  .github/workflows/parity.yml  a workflow that uses the kit's action

Nothing is overwritten: if one of these files exists, no file is written.
"""

EPILOG = """\
exit codes:
  0  all files were written
  2  wrong usage
  3  a file exists already, or cannot be written
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's arguments."""
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), metavar="FOLDER", help="the project (.)")
    parser.add_argument("--language", choices=LANGUAGES, default="python", help="language of the runner (python)")


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and return the exit code.

    Raises:
        CommandFailure: a file exists already, or cannot be written.
    """
    folder: Path = arguments.folder
    if not folder.is_dir():
        raise CommandFailure.at(folder, "no such folder", "make it, or name the folder of a project")
    made = project_files(folder, arguments.language)
    for name in made.files:
        if (folder / name).exists() or (folder / name).is_symlink():
            raise CommandFailure.at(
                folder / name, "is there already, so nothing is written", "move it away, or name another folder"
            )
    for name, text in made.files.items():
        _write(folder / name, text)
    shown = [name for name in made.files if "/" not in name or name.startswith(".")]
    write(f"wrote {', '.join([*made.folders, *shown])}\n")
    here = "" if folder.resolve() == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    steps = zip(("next:", "then:", "last:"), made.steps(here), strict=True)
    write("".join(f"{label} {step}\n" for label, step in steps))
    return ExitCode.RIGHT


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise CommandFailure.at(path, why, "name a folder that can be written") from None


_EXAMPLES = Path(__file__).resolve().parents[1] / "runners" / "examples"
_PROGRAM = "parity-runner"
_SPEC = "parity_runner:Runner"

_CARGO = """\
[package]
name = "parity-runner"
version = "0.1.0"
edition = "2021"

[[bin]]
name = "parity-runner"
path = "main.rs"

[workspace]
"""


@dataclass(frozen=True)
class Language:
    """The example of a runner in one language, and the commands that build and start it."""

    suffix: str
    command: tuple[str, ...] = ()
    """The command that starts the program, in the project's folder; empty for a runner in Python."""

    build: str = ""
    """The command that builds the program, in the project's folder; empty if there is none."""

    more: Mapping[str, str] = field(default_factory=dict)
    """The texts of further files beside the program's, by name."""


def _sources(name: str, suffix: str) -> dict[str, str]:
    """Return the files of the example in a language, by name."""
    found = sorted((_EXAMPLES / name).glob(f"*{suffix}"))
    return {path.name: path.read_text(encoding="utf-8") for path in found}


LANGUAGES = {
    "python": Language(".py"),
    "javascript": Language(".mjs", ("node", f"{_PROGRAM}/runner.mjs")),
    "go": Language(
        ".go",
        (f"{_PROGRAM}/{_PROGRAM}",),
        f"go build -o {_PROGRAM}/{_PROGRAM} " + " ".join(f"{_PROGRAM}/{name}" for name in _sources("go", ".go")),
        {".gitignore": f"/{_PROGRAM}\n"},
    ),
    "rust": Language(
        ".rs",
        (f"{_PROGRAM}/target/release/parity-runner",),
        f"cargo build --release --quiet --manifest-path {_PROGRAM}/Cargo.toml",
        {"Cargo.toml": _CARGO, ".gitignore": "target/\n"},
    ),
}


@dataclass(frozen=True)
class Project:
    """The files of a project, by path, and the next steps of the user."""

    files: dict[str, str]
    folders: Sequence[str]
    """Folders with many files; the user is shown the folders instead of the files."""

    check: str
    """The command that builds and smoke-tests the runner."""

    def steps(self, before: str) -> tuple[str, str, str]:
        """Return the next steps of the user, in order; the commands begin with `before`."""
        return (
            f"{before}{self.check}",
            f"{before}pytest test_parity.py",
            "name the repository and the tag of harbor-parity in .github/workflows/parity.yml, for OWNER and TAG",
        )


def project_files(folder: Path, name: str) -> Project:
    """Return the files for a project's folder, for a runner in a language."""
    language = LANGUAGES[name]
    inside = f"{_PROGRAM}/" if language.command else ""
    command = shlex.join(language.command)
    build = f"{language.build} && " if language.build else ""
    files = {
        **{f"{inside}{each}": text for each, text in {**_sources(name, language.suffix), **language.more}.items()},
        "test_parity.py": _test_of_program(language) if language.command else _TEST,
        "divergences.toml": _divergences(f"--runner-cmd {command!r}" if command else f"--runner {_SPEC}"),
        ".github/workflows/parity.yml": _workflow(folder, language),
    }
    check = f"{build}parity check-runner {shlex.quote(command or _SPEC)}"
    return Project(files, [f"{_PROGRAM}/"] if inside else [], check)


_TEST = '''\
"""Compare this project's scores with Harbor's. Known differences are declared in divergences.toml."""

from pathlib import Path

from parity import assert_parity
from parity_runner import Runner


def test_scores_as_harbor_does() -> None:
    """Generated cases and golden vectors score as with Harbor."""
    assert_parity(Runner(), divergences=Path(__file__).with_name("divergences.toml"))
'''


def _test_of_program(language: Language) -> str:
    *first, program = language.command
    words = "".join(f'"{word}", ' for word in first)
    build = f"    subprocess.run({shlex.split(language.build)}, cwd=HERE, check=True)\n".replace("'", '"')
    return f'''\
"""Compare this project's scores with Harbor's. Known differences are declared in divergences.toml."""

import shlex
{"import subprocess" if language.build else ""}
from pathlib import Path

from parity import assert_parity

HERE = Path(__file__).resolve().parent


def test_scores_as_harbor_does() -> None:
    """Generated cases and golden vectors score as with Harbor."""
{build if language.build else ""}    command = shlex.join([{words}str(HERE / "{program}")])

    assert_parity(command=command, divergences=HERE / "divergences.toml")
'''.replace("import shlex\n\n", "import shlex\n")


def _divergences(option: str) -> str:
    return f"""\
# Declared divergences of this project from harbor 0.13.1. Draft the entries with:
#   pytest --pyargs parity {option} --divergences divergences.toml --write-divergences divergences.toml
"""


def _workflow(folder: Path, language: Language) -> str:
    is_package = any((folder / each).is_file() for each in ("pyproject.toml", "setup.py"))
    first = language.build or ("pip install ." if is_package and not language.command else "")
    runner = f"command: {shlex.join(language.command)}" if language.command else f"runner: {_SPEC}"
    return f"""\
name: parity
on: [push, pull_request]
jobs:
  parity:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
{f"      - run: {first}{chr(10)}" if first else ""}\
      - uses: OWNER/harbor-parity/.github/actions/parity@TAG
        with:
          {runner}
          divergences: divergences.toml
"""
