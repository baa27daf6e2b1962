"""Variables that are taken from the host: a value `${NAME}` or `${NAME:-default}` stands for one of them.

A value is a template as a whole or not at all: a name holds neither `}` nor `:`, a default holds no line break, and
nothing inside a default is looked at again. Mirrors harbor.utils.env in behaviour.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

_SENSITIVE = re.compile("KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|AUTH", re.IGNORECASE)
_SHORT = 8
"""Characters of a secret of which nothing may be shown."""


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
    """The variables with templates replaced; one that is set but empty is as good as any other.

    Args:
        env: values, literal or templates.
        host: the variables of the host.

    Raises:
        ValueError: the host lacks a variable, and the template has no default.
    """
    return {key: _resolved(key, value, host) for key, value in env.items()}


def _resolved(key: str, value: str, host: Mapping[str, str]) -> str:
    template = _parse(value)
    if template is None:
        return value
    # Rule: run-trial/templates
    found = host.get(template.name, template.default)
    # Rule: run-trial/missing-variable
    if found is None:
        raise ValueError(
            f"variable {template.name} is not set on the host; set it, or give a default with ${{{template.name}:-...}}"
        )
    return found


def missing_variables(env: Mapping[str, str], host: Mapping[str, str]) -> list[str]:
    """Names of the variables that `resolve` would miss, each once."""
    templates = [template for value in env.values() if (template := _parse(value)) is not None]
    missing = (each.name for each in templates if each.default is None and each.name not in host)
    return list(dict.fromkeys(missing))


def variables_taken(env: Mapping[str, str], host: Mapping[str, str]) -> list[str]:
    """Names of the host's variables that `resolve` would give away, each once."""
    templates = [template for value in env.values() if (template := _parse(value)) is not None]
    return list(dict.fromkeys(each.name for each in templates if each.name in host))


def templatize(env: Mapping[str, str], host: Mapping[str, str]) -> dict[str, str]:
    """The variables as documents have them: a secret is a template where the host has the same, and else redacted.

    What is a secret shows in the name of its variable.
    """
    return {key: _written(key, value, host) for key, value in env.items()}


def _written(key: str, value: str, host: Mapping[str, str]) -> str:
    if _parse(value) is not None or not _SENSITIVE.search(key):
        return value
    # Rule: run-trial/config
    if host.get(key) == value:
        return f"${{{key}}}"
    return "****" if len(value) <= _SHORT else f"{value[:4]}****{value[-3:]}"
