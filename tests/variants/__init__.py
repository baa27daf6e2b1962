"""Variants of the scorer: what people do instead, as each language or library offers it.

A variant replaces one algorithm of one operation. Golden vectors alone must tell each from the scorer, or it is listed
as equivalent, with an argument for all inputs. A variant is a function under `@variant`. `changes.py` contains the
decorators that replace one part of an operation, such as the parser of reward.txt or the sum.
"""

from tests.variants import attempts, documents, files, metrics, results, steps, sums, texts  # noqa: F401
from tests.variants.variant import VARIANTS, Variant

__all__ = ["VARIANTS", "Variant"]
