"""Tests of the command that asks bridges."""

import pytest

from tests.bridges.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trl-1.15.0", "--profile", "quick"], "unknown bridge 'trl-1.15.0'; known are all, ageval-cli-0.10.0, "),
        (["--profile", "quick"], "name bridges, or give --newer; known are all, "),
        (["trl-1.16.0", "--newer"], "name bridges, or give --newer; known are all, "),
    ],
)
def test_command_without_known_names_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown name, no name, and names beside --newer are refused with the known names."""
    with pytest.raises(SystemExit) as refused:
        main(arguments)

    assert refused.value.code == 2
    assert message in capsys.readouterr().err
