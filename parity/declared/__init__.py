"""Declared divergences: where a runner is known to score otherwise, so that all else is held to Harbor.

A file of them is strict in both directions. Each entry has a region, told by flags, and a witness, a case in it that
is asked again in every run: both answers to it must stand as they are declared.
"""

from parity.declared.declaration import CLASSES, Declaration, Declarations, DeclarationsError
from parity.declared.drafting import Draft
from parity.declared.reading import read_all_declarations, read_declarations

__all__ = [
    "CLASSES",
    "Declaration",
    "Declarations",
    "DeclarationsError",
    "Draft",
    "read_all_declarations",
    "read_declarations",
]
