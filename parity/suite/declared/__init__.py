"""Declared divergences: the ways in which a runner is known to score differently from Harbor.

A run fails if a divergence is not declared, and also if a declared one no longer occurs. An entry is a reason. It names
the golden vectors that diverge for this reason, by rule and harm, and a case for what no vector shows.
"""

from parity.suite.declared.changes import Answered, changes
from parity.suite.declared.declaration import (
    Declaration,
    Declarations,
    Effect,
    StaleDeclaration,
    effect_of,
)
from parity.suite.declared.drafting import Draft
from parity.suite.declared.reading import DeclarationsError, read_all_declarations, read_declarations

__all__ = [
    "Answered",
    "Declaration",
    "Declarations",
    "DeclarationsError",
    "Draft",
    "Effect",
    "StaleDeclaration",
    "changes",
    "effect_of",
    "read_all_declarations",
    "read_declarations",
]
