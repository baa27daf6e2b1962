"""Templates for the host's environment variables: `${NAME}` or `${NAME:-default}` is replaced by the variable's value.

Only a whole value can be a template. The name must not contain `}` or `:`, the default must not contain a line break,
and templates inside a default are not replaced. Mirrors harbor.utils.env in behaviour.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

_SENSITIVE = re.compile("KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|AUTH", re.IGNORECASE)
_SHORT = 8
"""The longest secret that is redacted in full."""


class _Template(NamedTuple):
    name: str
    default: str | None


def _parse(value: str) -> _Template | None:
    # Rule: run-trial/templates
    if not (value.startswith("${") and value.endswith("}")):
        return None
    name, colon, rest = value[2:-1].partition(":")
    if not name or "}" in name:
        return None
    if not colon:
        return _Template(name, None)
    if not rest.startswith("-") or "\n" in rest:
        return None
    return _Template(name, rest[1:])


def resolve(env: Mapping[str, str], host: Mapping[str, str]) -> dict[str, str]:
    """Return environment variables with their templates replaced. An empty variable on the host is treated as set.

    Args:
        env: the environment variables. Each value is a literal or a template.
        host: the host's environment variables.

    Raises:
        ValueError: a variable is not set on the host, and its template has no default.
    """
    return {key: _resolved(key, value, host) for key, value in env.items()}


def _resolved(key: str, value: str, host: Mapping[str, str]) -> str:
    template = _parse(value)
    if template is None:
        return value
    # Rule: run-trial/templates
    variable = host.get(template.name, template.default)
    # Rule: run-trial/missing-variable
    if variable is None:
        raise ValueError(
            f"variable {template.name} is not set on the host; set it, or give a default with ${{{template.name}:-...}}"
        )
    return variable


def missing_variables(env: Mapping[str, str], host: Mapping[str, str]) -> list[str]:
    """Return the names of the variables that `resolve` needs but that are not set on the host, without duplicates."""
    missing = (each.name for each in _templates(env) if each.default is None and each.name not in host)
    return list(dict.fromkeys(missing))


def variables_used(env: Mapping[str, str], host: Mapping[str, str]) -> list[str]:
    """Return the names of the host's variables that `resolve` would read, without duplicates."""
    return list(dict.fromkeys(each.name for each in _templates(env) if each.name in host))


def _templates(env: Mapping[str, str]) -> list[_Template]:
    return [template for value in env.values() if (template := _parse(value)) is not None]


def templatize(env: Mapping[str, str], host: Mapping[str, str]) -> dict[str, str]:
    """Return environment variables without secrets, for documents.

    A secret is replaced by a template if the host has the same variable with the same value; otherwise it is redacted.
    A variable is a secret if its name contains a word such as KEY or TOKEN.
    """
    return {key: _written(key, value, host) for key, value in env.items()}


def _written(key: str, value: str, host: Mapping[str, str]) -> str:
    if _parse(value) is not None or not _SENSITIVE.search(key):
        return value
    # Rule: run-trial/config
    if host.get(key) == value:
        return f"${{{key}}}"
    return "****" if len(value) <= _SHORT else f"{value[:4]}****{value[-3:]}"
