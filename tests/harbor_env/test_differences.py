"""The README's table of differences: what the installed release does is what was recorded of it."""

import pytest

from parity.reference import open_reference
from parity.reference.released import installed_release
from parity.reference.releases import RELEASES
from tests.harbor_env.differences import DIFFERENCES, of_environment, of_harbor, of_release, recorded


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_release_does_what_was_recorded(name: str) -> None:
    """Row by row; where none is installed, every release has an entry for it."""
    release = installed_release()
    answers = recorded()

    if release is None:
        assert all(name in answers[each] for each in RELEASES)
    else:
        assert of_release(DIFFERENCES[name]) == answers[release][name]


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_row_shows_a_difference(name: str) -> None:
    """Between Harbor, the documentation and the releases."""
    difference = DIFFERENCES[name]

    told = {of_harbor(difference, open_reference().wheel), *(answers[name] for answers in recorded().values())}

    assert told != {of_environment(difference)}


def test_no_other_releases_are_recorded() -> None:
    """The file has exactly the releases that the adapter is tested with."""
    assert list(recorded()) == list(RELEASES)
