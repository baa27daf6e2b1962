"""`exact_sum` equals the interpreter's `sum`, and computes the other series, too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parity.operations.compare import compare
from parity.operations.files.number_strategies import floats, hard_ints, ints, numbers, plain_floats
from parity.scorer import Number, Series, exact_sum

_lists = st.one_of(
    st.lists(numbers),
    st.lists(floats),
    st.lists(ints),
    st.lists(st.one_of(hard_ints, plain_floats)),
    st.lists(st.sampled_from([1e16, -1e16, 1.0, 1, 0.1, 2**63, -(2**63), 2**63 - 1])),
)

# What CPython's releases print, whichever runs this test.
_KNOWN: list[tuple[list[Number], Number, Number]] = [
    ([], 0, 0),
    ([0.1] * 10, 1.0, 1.0),
    ([1e16, 1.0, -1e16], 1.0, 1.0),
    ([1e16, 1, -1e16], 0.0, 1.0),
    ([1e16, 1, 1, -1e16], 0.0, 2.0),
    ([0.1, 1, 0.1], 1.2000000000000002, 1.2),
    ([2**63, 0.1, -(2**63)], 0.0, 0.0),
    ([0.1, 2**63, -(2**63)], 0.0, 0.1),
    ([-0.0], 0.0, 0.0),
    ([2**62, 2**62, 2**62], 3 * 2**62, 3 * 2**62),
]


@given(_lists)
def test_it_is_the_builtin(values: list[Number]) -> None:
    """`exact_sum` equals the builtin by type and bits, overflow included."""
    assert compare(_outcome(lambda: sum(values)), _outcome(lambda: exact_sum(values, Series.running()))) is None


def _outcome(compute: object) -> object:
    try:
        return compute()  # type: ignore[operator]
    except OverflowError:
        return "OverflowError"


@pytest.mark.parametrize(("values", "until_313", "from_314"), _KNOWN, ids=repr)
def test_both_series_on_any_interpreter(values: list[Number], until_313: Number, from_314: Number) -> None:
    """Either series can be computed on any interpreter."""
    assert compare(until_313, exact_sum(values, Series.PY312)) is None
    assert compare(from_314, exact_sum(values, Series.PY314)) is None


@pytest.mark.parametrize("series", Series)
def test_too_large_an_int_overflows(series: Series) -> None:
    """An int beyond a double raises an OverflowError beside a float."""
    with pytest.raises(OverflowError):
        exact_sum([0.5, 2**1024], series)
