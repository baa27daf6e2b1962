"""The inputs of the golden vectors, chosen by hand, rule by rule. Their answers are recorded from the wheel.

No wheel answers `outcome` and `reason_code`; their answers stand beside the inputs.
"""

from collections import Counter
from importlib import import_module

from parity.operations import OPERATIONS
from parity.operations.rules import RULES
from parity.operations.vector import Vector

VECTORS: dict[str, list[Vector]] = {name: import_module(f"{__package__}.{name}.vectors").VECTORS for name in OPERATIONS}
"""The vectors of each operation, in the order of the golden file."""

_repeated = [name for vectors in VECTORS.values() for name, n in Counter(v.id for v in vectors).items() if n > 1]
if _repeated:
    raise ValueError(f"vectors share an id: {', '.join(_repeated)}")
_ruleless = [vector.id for vectors in VECTORS.values() for vector in vectors if vector.rule not in RULES]
if _ruleless:
    raise ValueError(f"vectors name rules that do not exist: {', '.join(_ruleless)}")
