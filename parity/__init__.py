"""harbor-parity: proves, bit for bit, whether a runner scores Harbor tasks as `harbor==0.13.1` does."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parity.plugin.assertion import SuiteError, assert_parity

__version__ = "0.1.0"
__all__ = ["SuiteError", "assert_parity"]


def __getattr__(name: str) -> Any:
    """Import `assert_parity` and `SuiteError` only when they are used, so that commands start without pytest."""
    if name in __all__:
        from parity.plugin import assertion

        return getattr(assertion, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
