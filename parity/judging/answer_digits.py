"""Short digests of answers to golden vectors, which reports keep."""

import hashlib
from contextlib import suppress

from parity.judging.declared.declaration import answer_json
from parity.operations.answers import Answer, Value, without_changes
from parity.operations.compare import Ordered, Path
from parity.operations.operation import Operation
from parity.operations.wire import canonical


def digits[Case](operation: Operation[Case], case: Case, answer: Answer) -> str:
    """Return sixteen hex digits that are the same for equal answers to a case."""
    settled = without_changes(operation.settle(case, answer))
    if isinstance(settled, Value):
        # A value nested too deeply has no form on the wire, so the order of its keys is not in the digits.
        with suppress(RecursionError):
            settled = Value(_in_order(settled.value, operation.ordered(case), ()))
    return hashlib.sha256(canonical(answer_json(operation, settled)).encode()).hexdigest()[:16]


def _in_order(value: object, ordered: Ordered, path: Path) -> object:
    """Return the value with its keys sorted wherever their order does not count."""
    if isinstance(value, list):
        return [_in_order(each, ordered, (*path, place)) for place, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    keys = list(value) if ordered(path) else sorted(value, key=str)
    return {key: _in_order(value[key], ordered, (*path, key)) for key in keys}
