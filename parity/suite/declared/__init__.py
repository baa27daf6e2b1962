"""Declared divergences: the ways in which a runner is known to score differently from Harbor.

A run fails if a divergence is not declared, and also if a declared one no longer occurs. Each entry names the rule, the
kind of difference and the harm that identify a divergence; a witness, which is a case that every run asks again; and
the golden vectors that diverge.
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
