"""Hypothesis strategies for numbers that are hard to add, to compare or to spell."""

from decimal import Context, Decimal
from math import inf, isfinite, nan, nextafter

from hypothesis import strategies as st

from parity.operations.wire import float_from_hex
from parity.scorer.values import Number


def choose[Drawn](*options: st.SearchStrategy[Drawn]) -> st.SearchStrategy[Drawn]:
    """Draw from one of the strategies with equal probability; `st.one_of` would flatten nested alternatives."""
    return st.sampled_from(options).flatmap(lambda option: option)


_nothing = st.none()


def seldom[Drawn](strategy: st.SearchStrategy[Drawn], times: int = 3) -> st.SearchStrategy[Drawn | None]:
    """Draw a value from the strategy or, `times` as often, None."""
    return st.integers(0, times).flatmap(lambda drawn: strategy if drawn == times else _nothing)


plain_floats = st.sampled_from([0.0, 1.0, 0.5, 0.1, 0.2, 0.3, 0.7, 1 / 3, 0.85, -1.0])

hard_floats = st.sampled_from(
    [
        -0.0,
        nan,
        inf,
        -inf,
        float_from_hex("7ff8deadbeef0001"),
        float_from_hex("fff0000000000001"),
        5e-324,
        -5e-324,
        2.225073858507201e-308,
        1e-16,
        1e16,
        -1e16,
        2.0**53,
        2.0**53 + 2,
        1e100,
        -1e100,
        1.7976931348623157e308,
        -1.7976931348623157e308,
    ]
)

floats = choose(plain_floats, st.floats(-2, 2), hard_floats, st.floats())

finite_floats = st.one_of(plain_floats, st.floats(allow_nan=False, allow_infinity=False))

plain_ints = st.integers(-1, 3)

hard_ints = st.builds(
    lambda power, offset, sign: sign * (power + offset),
    st.sampled_from([2**53, 2**62, 2**63, 2**64, 10**22, 2**970, 2**1023, 2**1024, 10**400]),
    st.integers(-2, 2),
    st.sampled_from([1, -1]),
)

ints = st.one_of(plain_ints, plain_ints, hard_ints)

numbers: st.SearchStrategy[Number] = choose(plain_ints, plain_floats, floats, ints)


def _between(number: float, side: int) -> str:
    """Return the decimal expansion of the midpoint between a double and the next one, or a slightly larger number.

    Args:
        number: the double.
        side: 0 for the midpoint, 1 for the larger number.
    """
    following = nextafter(number, inf)
    if not isfinite(following):
        return repr(number)
    exact = Context(prec=1200)
    middle = exact.divide(exact.add(Decimal(number), Decimal(following)), Decimal(2))
    digits = f"{middle:f}" if 1e-30 < abs(number) < 1e30 else f"{middle:e}"
    if not side:
        return digits
    mantissa, e, exponent = digits.partition("e")
    point = "" if "." in mantissa else "."
    return f"{mantissa}{point}{'0' * 20}1{e}{exponent}"


halfway_decimals = st.builds(
    _between,
    st.one_of(st.floats(0.0, 1.0), st.sampled_from([5e-324, 0.0, 2.0**53, 9007199254740994.0, 0.1, 1e22, 1e300])),
    st.integers(0, 1),
)
"""Decimals at or near the midpoint of two doubles, which only a correct parser that rounds ties to even gets right."""


number_pools: st.SearchStrategy[list[Number]] = choose(
    st.lists(plain_floats, min_size=1, max_size=6),
    st.lists(finite_floats, min_size=1, max_size=6),
    st.lists(st.one_of(plain_floats, plain_ints), min_size=1, max_size=6),
)
