"""Contexts to ask the wheel in, and what it answers there."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from parity.operations.wire import Json
from tests.self_noise.kept_answers import read_kept

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class WheelContext:
    """What stands around a process that should not matter."""

    hash_seed: int = 0
    time_zone: str = "UTC"
    locale: str = "C.UTF-8"
    ascii_only: bool = False
    """Whether Python may not take UTF-8 where the locale has ASCII."""

    elsewhere: bool = False
    """In another working directory, with another folder for temporary files, both with a blank and an accent."""

    umask: int = 0o022

    def variables(self) -> dict[str, str]:
        """The environment variables of the process."""
        known = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
        forced = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"} if self.ascii_only else {}
        own = {
            "PYTHONPATH": str(_ROOT),
            "PYTHONHASHSEED": str(self.hash_seed),
            "TZ": self.time_zone,
            "LC_ALL": self.locale,
        }
        return {**known, **own, **forced}

    def answers(self, folder: Path) -> dict[tuple[str, str], Json]:
        """The wheel's answers to the golden vectors, by operation and vector.

        Args:
            folder: an empty one, for the answers and all that is elsewhere.
        """
        file = folder / "answers.json"
        variables, place = self.variables(), _ROOT
        if self.elsewhere:
            place = folder / "élse where"
            place.mkdir()
            variables["TMPDIR"] = str(place)
        subprocess.run(
            [sys.executable, "-m", "tests.self_noise.answers", str(file)],
            env=variables,
            cwd=place,
            umask=self.umask,
            check=True,
        )
        answers = json.loads(file.read_text(encoding="utf-8"))
        return {(name, vector): answer for name, vectors in answers.items() for vector, answer in vectors.items()}

    def recorded(self, folder: Path, workers: int) -> dict[tuple[str, str], Json]:
        """The same, as a recording of all golden vectors gets them, in a copy of the checkout.

        Args:
            folder: an empty one; its `copy/golden` has what was recorded.
            workers: those of pytest-xdist.
        """
        kept, copy = folder / "kept", folder / "copy"
        kept.mkdir()
        for part in ("parity", "golden"):
            shutil.copytree(_ROOT / part, copy / part)
        shutil.copy(_ROOT / "pyproject.toml", copy)
        program = "import sys; sys.path.insert(0, '.'); import pytest; sys.exit(pytest.main(sys.argv[1:]))"
        plugins = ["-p", "no:cacheprovider", "-p", "tests.self_noise.kept_answers"]
        options = ["-k", "golden", "--snapshot-update", "-n", str(workers)]
        subprocess.run(
            [sys.executable, "-c", program, "parity/", *options, *plugins],
            env={**self.variables(), "PARITY_KEPT_ANSWERS": str(kept)},
            cwd=copy,
            check=True,
            capture_output=True,
        )
        return read_kept(kept)
