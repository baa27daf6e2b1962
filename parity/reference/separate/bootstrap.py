"""The script for the interpreter that has Harbor: it imports this copy of the kit, and nothing else from its folder.

The folder that holds the kit may hold another Harbor or another pydantic, so it is not put on the search path.
"""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_OLDEST = (3, 12)


def _import_kit() -> None:
    folder = Path(__file__).resolve().parents[2]
    spec = spec_from_file_location("parity", folder / "__init__.py", submodule_search_locations=[str(folder)])
    assert spec
    assert spec.loader
    module = sys.modules["parity"] = module_from_spec(spec)
    spec.loader.exec_module(module)


def _problem() -> "tuple[str, str] | None":
    """Return why the kit cannot be imported here, and what to do; or None."""
    if sys.version_info < _OLDEST:
        return f"this is Python {sys.version.split()[0]}", "naming one of 3.12 or later"
    try:
        import parity.reference.separate.server  # noqa: F401
    except ImportError as error:
        return f"it has no {error.name}", "pip install harbor==0.13.1 tomli"
    return None


if __name__ == "__main__":
    _import_kit()
    if problem := _problem():
        print(json.dumps({"problem": problem}))
    else:
        from parity.reference.separate.server import serve

        serve()
