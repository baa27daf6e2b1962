"""The tables of differences in HarborEnv's README: the installed release behaves as recorded."""

import pytest

from parity.driver.sandbox import Sandboxes
from parity.harbor_env.releases import RELEASES
from parity.reference import open_reference
from parity.reference.released import installed_release
from tests.harbor_env.differences import DIFFERENCES, of_environment, of_harbor, of_release, recorded
from tests.harbor_env.rollout_differences import ROLLOUT_DIFFERENCES


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_release_does_what_was_recorded(name: str) -> None:
    """The installed release gives the recorded answer to each row."""
    release = installed_release()
    if release is None:
        pytest.skip("of releases of verifiers; tox run -e verifiers-0.3.1")

    assert of_release(DIFFERENCES[name]) == recorded()[release][name]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what a release sets off in newer libraries
@pytest.mark.parametrize("name", ROLLOUT_DIFFERENCES)
def test_the_release_rolls_out_as_was_recorded(name: str, local: Sandboxes) -> None:
    """The installed release gives the recorded result of each rollout."""
    release = installed_release()
    if release is None:
        pytest.skip("of releases of verifiers; tox run -e verifiers-0.3.1")

    assert ROLLOUT_DIFFERENCES[name].of_release() == recorded()[release][name]


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_row_shows_a_difference(name: str) -> None:
    """Each row shows a difference between Harbor, the documentation and the releases."""
    difference = DIFFERENCES[name]

    shown = {of_harbor(difference, open_reference().wheel), *(answers[name] for answers in recorded().values())}

    assert shown != {of_environment(difference)}


def test_no_other_releases_are_recorded() -> None:
    """The file has all rows of the first release and of the releases that the adapter is tested with."""
    assert list(recorded()) == ["0.1.9.post3", *RELEASES]
    assert all(set(rows) == {*DIFFERENCES, *ROLLOUT_DIFFERENCES} for rows in recorded().values())
