"""Declared divergences: the ways in which a runner is known to score differently from Harbor.

A file of declarations is strict in both directions. Each entry names a rule, a kind of difference and a harm, which
identify a divergence everywhere; a witness, which every run asks again; and the golden vectors that diverge.
"""

from parity.suite.declared.declaration import CLASSES, Declaration, Declarations, StaleDeclaration
from parity.suite.declared.drafting import Draft
from parity.suite.declared.reading import DeclarationsError, read_all_declarations, read_declarations

__all__ = [
    "CLASSES",
    "Declaration",
    "Declarations",
    "DeclarationsError",
    "Draft",
    "StaleDeclaration",
    "read_all_declarations",
    "read_declarations",
]
