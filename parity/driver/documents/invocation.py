"""The command line that started a job, as lock.json has it. Mirrors harbor.models.job.lock in behaviour."""

from collections.abc import Mapping, Sequence

from parity.driver.documents.templates import templatize

_WITH_VARIABLE = "--ae", "--agent-env", "--ve", "--verifier-env"
"""Options whose value is `NAME=VALUE`."""


def sanitized(arguments: Sequence[str], host: Mapping[str, str]) -> list[str]:
    """The arguments with secret variables as `templatize` writes them."""
    written = []
    variable_follows = False
    for argument in arguments:
        option, equals, value = argument.partition("=")
        if variable_follows:
            written.append(_assignment(argument, host))
            variable_follows = False
        elif option in _WITH_VARIABLE:
            written.append(f"{option}={_assignment(value, host)}" if equals else option)
            variable_follows = not equals
        else:
            written.append(argument)
    return written


def _assignment(text: str, host: Mapping[str, str]) -> str:
    name, equals, value = (part.strip() for part in text.partition("="))
    return f"{name}={templatize({name: value}, host)[name]}" if equals else text
