"""Harbor's own environments as sandboxes: `--sandbox harbor:docker`, `harbor:daytona`, `harbor:package.module:Class`.

Each sandbox wraps one environment of the wheel, and uses its transfer and execution. Nothing is mounted, even if the
environment supports it: files leave the sandbox only by download, and only under this kit's rules.
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
    """A provider of sandboxes from one type of Harbor's environments.

    Args:
        name: `harbor:` and either the name of a type for `harbor run --env`, or an import path `module:Class`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._environment = name.removeprefix("harbor:")

    def preflight(self) -> None:
        """Check that the type exists, can be imported, and has its credentials.

        Raises:
            SandboxUnavailable: the type cannot be used.
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
        """Return the environment's own message if it cannot be made for this spec, else None."""
        try:
            self._try(spec)
        except Exception as error:
            return f"does not run on {self.name}: {_one_line(error)}"
        return None

    def make(self, spec: SandboxSpec) -> Sandbox:
        """Make a sandbox; its environment is made only when it starts."""
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
            raise ValueError(f"unknown type of environment; use one of {known}, or an import path") from None

    def _require_dependencies(self) -> None:
        """Make a probe, because some environments report a missing package only then; ignore other errors of it."""
        try:
            self._try(PROBE)
        except ImportError:
            raise
        except Exception:
            return


def _one_line(error: BaseException) -> str:
    """Return an error's message in one line, without Harbor's repetitions for other installers."""
    first, _, rest = str(error).strip().partition("\n")
    command = next((line.strip() for line in rest.splitlines() if line.strip().startswith("pip install")), None)
    return f"{first} {command}" if command else " ".join([first, *rest.split()]) or type(error).__name__
