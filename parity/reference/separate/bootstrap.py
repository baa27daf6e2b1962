"""The script that the interpreter with Harbor runs: it imports this copy of the kit, but nothing else beside it.

The directory that holds the kit may hold another Harbor or another pydantic, so it is not put on the search path.
"""

import json
import shlex
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_OLDEST = (3, 12)


def import_kit() -> None:
    """Import the package `parity` from the directory of this file."""
    directory = Path(__file__).resolve().parents[2]
    spec = spec_from_file_location("parity", directory / "__init__.py", submodule_search_locations=[str(directory)])
    assert spec
    assert spec.loader
    module = sys.modules["parity"] = module_from_spec(spec)
    spec.loader.exec_module(module)


def _serve() -> None:
    if sys.version_info < _OLDEST:
        _refuse(f"this is Python {sys.version.split()[0]}", "naming one of 3.12 or later")
        return
    import_kit()
    try:
        from parity.reference.separate.server import serve
    except ImportError as error:
        pinned = shlex.quote(str(Path(__file__).resolve().parents[1] / "environment.txt"))
        _refuse(f"it has no {error.name}", f"pip install -c {pinned} harbor==0.13.1 tomli")
        return
    serve()


def _refuse(problem: str, repair: str) -> None:
    """Write the hello of a reference that cannot answer, with the problem and the remedy."""
    reference = {"problem": problem, "repair": repair}
    print(json.dumps({"hello": {"name": "the reference", "operations": [], "reference": reference}}))


if __name__ == "__main__":
    _serve()
