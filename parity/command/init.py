"""`parity init`: writes a project's first runner, with a test, a workflow and a file of divergences."""

import argparse
import shlex
from pathlib import Path

from parity.command.exit_code import CommandFailure, ExitCode
from parity.command.init_files import LANGUAGES, project_files
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
