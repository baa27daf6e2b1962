"""The order of these tests."""

import pytest

from tests.dealing import deal

_MODULE = """
import pytest
long = pytest.mark.long

def test_a(): pass
def test_b(): pass
def test_h(main_job): pass
@long
def test_c(): pass
def test_d(): pass
@long
def test_e(main_job): pass
@long
def test_f(): pass
def test_g(): pass
"""


@pytest.mark.parametrize(
    ("workers", "order"), [("1", "ecfabdgh"), ("2", "eabdcfgh"), ("3", "eacfbdgh"), ("9", "ecfabdgh")]
)
def test_each_share_begins_with_what_takes_long(
    workers: str, order: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks at the main job comes first, or last of all; a module stays together, and no test is lost."""
    items, _ = pytester.inline_genitems("-p", "no:syrupy", pytester.makepyfile(_MODULE))
    monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", workers)

    dealt = deal(items)

    assert "".join(item.name[-1] for item in dealt) == order
