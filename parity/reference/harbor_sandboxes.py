"""Harbor's own environments as sandboxes: `--sandbox harbor:docker`, `harbor:daytona`, `harbor:package.module:Class`.

Each sandbox wraps one environment of the wheel, whose own transfer and execution it uses. Nothing is mounted, also
where the environment could: files come out by download, and only under this kit's rules.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from harbor.environments.base import BaseEnvironment
from harbor.environments.factory import EnvironmentFactory
from harbor.models.environment_type import EnvironmentType
from harbor.models.trial.config import EnvironmentConfig as Choice
from harbor.utils.import_path import import_class

from parity.driver.sandbox import Sandbox, SandboxSpec, SandboxUnavailable
from parity.reference.harbor_sandbox import HarborSandbox, make_environment

PROBE = SandboxSpec(name="probe", task="probe", folder=Path(), image="debian:stable-slim")


class HarborSandboxes:
    """One type of Harbor's environments.

    Args:
        name: `harbor:` and a type's name as `harbor run --env` takes it, or an import path `module:Class`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._environment = name.removeprefix("harbor:")

    def preflight(self) -> None:
        """Check that the type is there, that it can be imported, and that it has its credentials.

        Raises:
            SandboxUnavailable: it cannot be used.
        """
        try:
            choice = self._choice()
            if choice.import_path is not None:
                import_class(choice.import_path, base=BaseEnvironment, label="environment")
            EnvironmentFactory.run_preflight(choice.type, choice.import_path)
            self._require_dependencies()
        except (Exception, SystemExit) as error:
            raise SandboxUnavailable(f"{self.name}: {_one_line(error)}") from error

    def refusal(self, spec: SandboxSpec) -> str | None:
        """What the environment itself says when it is made for this spec."""
        try:
            self._try(spec)
        except Exception as error:
            return f"does not run on {self.name}: {_one_line(error)}"
        return None

    def make(self, spec: SandboxSpec) -> Sandbox:
        """An environment that is not made before it starts."""
        return HarborSandbox(self._choice(), spec)

    def _try(self, spec: SandboxSpec) -> None:
        with TemporaryDirectory(prefix="parity-harbor-") as folder:
            make_environment(self._choice(), spec, Path(folder))

    def _choice(self) -> Choice:
        if ":" in self._environment:
            return Choice(import_path=self._environment)
        try:
            return Choice(type=EnvironmentType(self._environment))
        except ValueError:
            known = ", ".join(sorted(EnvironmentType))
            raise ValueError(f"no such type of environment; there are {known}, and import paths") from None

    def _require_dependencies(self) -> None:
        """Some environments say only when they are made that a package is missing; the rest is a task's matter."""
        try:
            self._try(PROBE)
        except ImportError:
            raise
        except Exception:
            return


def _one_line(error: BaseException) -> str:
    """What is wrong, without the repetitions for other installers that Harbor adds on further lines."""
    first, _, rest = str(error).strip().partition("\n")
    command = next((line.strip() for line in rest.splitlines() if line.strip().startswith("pip install")), None)
    return f"{first} {command}" if command else " ".join([first, *rest.split()]) or type(error).__name__
