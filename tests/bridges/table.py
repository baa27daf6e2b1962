"""The rows of `bridges.toml`. README.md explains the keys."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from pydantic.alias_generators import to_snake

_DIRECTORY = Path(__file__).parent
_TABLE = _DIRECTORY / "bridges.toml"


@dataclass(frozen=True)
class Bridge:
    """A row of the table: a release of a reader, and what its environment has."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    package: str
    """The reader's package and release, such as `trl==1.16.0`."""

    adapter: str
    """The runner in `adapters/`, as `module:Class`."""

    own_requirements: bool = True
    """Whether the package's own requirements are installed."""

    imports: tuple[str, ...] = ()
    """What else scoring imports, as requirements."""

    imports_alone: tuple[str, ...] = ()
    """What else scoring imports, without its requirements, because they fit no Harbor."""

    constraints: tuple[str, ...] = ()
    """Constraints on releases, as uv takes them."""

    harbor: str | None = None
    """The release of Harbor that scoring imports; None if it imports none."""

    python: str = "3.12"

    is_last: bool = False
    """Whether no later release of the package has this reader."""

    @property
    def runner(self) -> str:
        """The runner, as `parity serve` takes it."""
        return f"tests.bridges.adapters.{self.adapter}"

    @property
    def release(self) -> str:
        """The release in `package`."""
        return self.package.partition("==")[2]


@cache
def bridges() -> dict[str, Bridge]:
    """Return all bridges by name.

    Raises:
        ValidationError: a row has a key that is unknown, missing or of another type.
    """
    tables = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    rows = {name: _with_underscores(table) for name, table in tables.items()}
    return TypeAdapter(dict[str, Bridge]).validate_python(rows)


def declarations(name: str) -> Path:
    """Return the file with the declared divergences of a bridge."""
    return _DIRECTORY / "declared" / f"{name}.toml"


def _with_underscores(table: dict[str, Any]) -> dict[str, Any]:
    return {to_snake(key): value for key, value in table.items()}
