"""Tests that tasks which the driver does not support, or could not contain, are refused before anything runs."""

import tomllib
from pathlib import Path

import pytest

from parity.driver.errors import UnsupportedTask
from parity.driver.task_file import check_supported
from parity.formats.task import TaskConfig

_ALLOWLIST = 'network_mode = "allowlist"\nallowed_hosts = ["host"]'
_REFUSED = {
    '[environment]\nos = "windows"': "environment.os is windows",
    "[environment]\ngpus = 1": "environment.gpus is 1",
    '[environment.tpu]\ntype = "v4"\ntopology = "2x4"': "environment.tpu requests",
    '[[environment.mcp_servers]]\nname = "m"\nurl = "u"': "environment.mcp_servers requests",
    '[environment]\nskills_dir = "s"': "environment.skills_dir requests",
    f"[environment]\n{_ALLOWLIST}": "environment.network_mode is allowlist",
    f"[verifier.environment]\n{_ALLOWLIST}": "environment.network_mode is allowlist",
    '[[steps]]\nname = "a"\n[steps.verifier.environment]\ngpus = 1': "environment.gpus is 1",
    '[agent]\nnetwork_mode = "no-network"': "agent.network_mode is no-network, its environment's public",
    '[verifier]\nnetwork_mode = "no-network"': "verifier.network_mode is no-network, its environment's public",
    '[[steps]]\nname = "a"\n[steps.agent]\nnetwork_mode = "no-network"': "agent.network_mode is no-network",
    '[[steps]]\nname = "a"\n[steps.verifier]\nnetwork_mode = "no-network"': "verifier.network_mode is no-network",
    'artifacts = [{source = "/a", destination = "../x"}]': "artifacts: '/a' leads out",
    'artifacts = [{source = "/a", destination = "//x"}]': "artifacts: '/a' leads out",
    'artifacts = [".."]': "artifacts: '..' leads out",
    'artifacts = ["a\\u0000b"]': "artifacts: 'a\\x00b' leads out",
    '[[steps]]\nname = "a"\nartifacts = [".."]': "artifacts: '..' leads out",
    **{
        f'[[steps]]\nname = "plain"\n[[steps]]\nname = "{name}"': f"steps.name is {name!r}"
        for name in ("", ".", "..", "../out", "/out", "a/b")
    },
}


@pytest.mark.parametrize("toml", _REFUSED)
def test_unsupported_setting_is_refused_by_name(toml: str) -> None:
    """An unsupported setting is refused with a message that contains its name."""
    config = TaskConfig.model_validate(tomllib.loads(toml))

    with pytest.raises(UnsupportedTask) as refused:
        check_supported(Path("task"), config)

    assert _REFUSED[toml] in str(refused.value)


@pytest.mark.parametrize(
    "toml",
    [
        "[environment]\ngpus = 0",
        '[environment]\nnetwork_mode = "no-network"\n[agent]\nnetwork_mode = "no-network"',
        '[verifier]\nnetwork_mode = "no-network"\n[verifier.environment]\nnetwork_mode = "no-network"',
        'artifacts = [{source = "/a", destination = "///x"}, "/a/..b"]',
        '[[steps]]\nname = "first step"',
    ],
)
def test_supported_setting_is_accepted(toml: str) -> None:
    """Supported settings that resemble refused ones are accepted."""
    check_supported(Path("task"), TaskConfig.model_validate(tomllib.loads(toml)))
