"""How the tests of a task are run, from its task.toml, where Harbor's scoring is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from parity.driver.documents.templates import resolve
from parity.driver.task_file import read_task_file
from parity.driver.task_table import UnsupportedTask

_INSTEAD = "run the task with parity run or harbor"


@dataclass(frozen=True)
class Verification:
    """Settings of the test script's run."""

    timeout: float
    """Seconds."""

    env: Mapping[str, str]
    """Variables, templates of the host's variables included."""

    workdir: str | None
    """None for the sandbox's own."""

    def variables(self, host: Mapping[str, str]) -> dict[str, str]:
        """The variables with the host's in place of templates.

        Raises:
            ValueError: the host has none of that name.
        """
        return resolve(self.env, host)


def read_verification(folder: Path) -> Verification:
    """The settings of a task's folder.

    Raises:
        InvalidTask: Harbor does not take the task.
        UnsupportedTask: its tests cannot be run in the sandbox of its agent as Harbor would.
    """
    config = read_task_file(folder)
    if config.steps:
        raise UnsupportedTask(folder, f"task.toml: steps: an environment has one; {_INSTEAD}")
    if config.is_separate():
        what = f"task.toml: verifier.environment_mode is separate, which an environment does not do; {_INSTEAD}"
        raise UnsupportedTask(folder, what)
    if config.verifier.user is not None:
        what = f"task.toml: verifier.user: an environment runs all as the image's own user; {_INSTEAD}"
        raise UnsupportedTask(folder, what)
    env = {**config.environment.env, **config.verifier.env}
    return Verification(config.verifier.timeout, env, config.environment.workdir)
