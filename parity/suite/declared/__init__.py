"""Declared divergences: the places where a runner is known to score differently from Harbor.

A file of declarations is strict in both directions. Each entry has a region, given by flags, a kind of difference, and
a witness, which is a case in the region. Every run asks the witness again, and both answers must still be the declared
ones. In the region, only differences of that kind pass, and only if they do no more harm than the witness.
"""

from parity.suite.declared.declaration import CLASSES, Declaration, Declarations, DeclarationsError
from parity.suite.declared.drafting import MOST, Draft
from parity.suite.declared.reading import read_all_declarations, read_declarations
from parity.suite.difference_kind import Grade, grade_of

__all__ = [
    "CLASSES",
    "MOST",
    "Declaration",
    "Declarations",
    "DeclarationsError",
    "Draft",
    "Grade",
    "grade_of",
    "read_all_declarations",
    "read_declarations",
]
