"""Environments in which the wheel is asked, and its answers."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from parity.operations.files.folders import scratch_folder
from parity.operations.wire import Json

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class WheelContext:
    """The environment of a process, which should not change answers."""

    hash_seed: int = 0
    time_zone: str = "UTC"
    locale: str = "C.UTF-8"
    ascii_only: bool = False
    """Whether Python must not use UTF-8 if the locale has ASCII."""

    umask: int = 0o022
    """The umask of recordings."""

    def variables(self) -> dict[str, str]:
        """Return the environment variables of the process."""
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
        """Return the wheel's answers to the golden vectors, by operation and vector.

        Args:
            folder: an empty folder for the answers.
        """
        file = folder / "answers.json"
        subprocess.run(
            [sys.executable, "-m", "tests.self_noise.answers", str(file)], env=self.variables(), cwd=_ROOT, check=True
        )
        answers = json.loads(file.read_text(encoding="utf-8"))
        return {(name, vector): answer for name, vectors in answers.items() for vector, answer in vectors.items()}

    def record(self, folder: Path, workers: int) -> None:
        """Record all golden vectors in a copy of the checkout, and store the wheel's answers.

        Args:
            folder: an empty folder; `copy/golden` gets the recording, and `kept` the answers.
            workers: the workers of pytest-xdist.
        """
        kept, copy = folder / "kept", folder / "copy"
        kept.mkdir()
        for part in ("parity", "golden"):
            shutil.copytree(_ROOT / part, copy / part)
        shutil.copy(_ROOT / "pyproject.toml", copy)
        plugins = ["-p", "no:cacheprovider", "-p", "tests.self_noise.kept_answers"]
        options = ["-k", "golden", "--snapshot-update", "-n", str(workers)]
        with scratch_folder() as scratch:
            temporary = scratch / folder.name
            temporary.mkdir()
            subprocess.run(
                [sys.executable, "-m", "pytest", "parity/", *options, *plugins],
                env={**self.variables(), "PARITY_KEPT_ANSWERS": str(kept), "TMPDIR": str(temporary)},
                cwd=copy,
                umask=self.umask,
                check=True,
                capture_output=True,
            )
