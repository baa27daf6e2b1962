"""A trial's result.json in Harbor's layout, cut into the parts that are read; most need no JSON parser.

A text with another layout is not cut, nor is one with a value that is not sure to fit.
"""

import re
from functools import cache
from typing import Any

from parity.scorer.from_disk.files import may_have_half_pairs
from parity.scorer.from_disk.layout import ANY_TEXT, TEXT, CommonPart, or_null
from parity.scorer.from_disk.reading import SURE_TIME

_TEXT_OR_NULL = or_null(TEXT)
_ANY_TEXT_OR_NULL = or_null(ANY_TEXT)
_UUID = '"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"'
_COUNT = or_null("(0|[1-9][0-9]{0,15})")
_NUMBER = or_null("((?:0|[1-9][0-9]{0,15})(?:[.][0-9]+)?(?:e[+-]?[0-9]+)?)")
_TIME = or_null(f'"({SURE_TIME.pattern})"')
_AT = f'"{SURE_TIME.pattern}"'
_TIMING = or_null(rf"""\{{
        "started_at": {_AT},
        "finished_at": {_AT}
    \}}""")
# JSON that has yet to be parsed: its inner lines are further to the right than its end.
_OBJECT = or_null(r"(\{\n(?: {8}.*\n)*+ {4}\})")
_INNER_OBJECT = or_null(r"(\{\n(?: {12}.*\n)*+ {8}\}|\{\})")
_ARRAY = or_null(r"(\[\n(?: {8}.*\n)*+ {4}\])")

_HEAD = rf"""\{{
    "id": {_UUID},
    "task_name": {TEXT},
    "trial_name": {TEXT},
    "trial_uri": {ANY_TEXT},
    "task_id": \{{(?:(?:
        "git_[a-z_]+": {_ANY_TEXT_OR_NULL},)*
        "path": {ANY_TEXT}|
        "org": {ANY_TEXT},
        "name": {ANY_TEXT},
        "ref": {_ANY_TEXT_OR_NULL})
    \}},
    "source": {_TEXT_OR_NULL},
    "task_checksum": {ANY_TEXT},
    "config": \{{
        "task": \{{
            "path": {_TEXT_OR_NULL},
            "git_url": {_TEXT_OR_NULL},
            "git_commit_id": {_ANY_TEXT_OR_NULL},
            "name": {_TEXT_OR_NULL},
            "ref": {_ANY_TEXT_OR_NULL},
            "overwrite": (?:true|false),
            "download_dir": {_ANY_TEXT_OR_NULL},
            "source": {_TEXT_OR_NULL}
        \}},
        "trial_name": {ANY_TEXT},
        "trials_dir": {ANY_TEXT},
        "timeout_multiplier": """
_TAIL = rf"""(null|\{{
        "n_input_tokens": {_COUNT},
        "n_cache_tokens": {_COUNT},
        "n_output_tokens": {_COUNT},
        "cost_usd": {_NUMBER},
        "rollout_details": null,
        "metadata": {_INNER_OBJECT}
    \}}),
    "verifier_result": (?:null|\{{
        "rewards": {_INNER_OBJECT}
    \}}),
    "exception_info": {_OBJECT},
    "started_at": {_TIME},
    "finished_at": {_TIME},
    "environment_setup": {_TIMING},
    "agent_setup": {_TIMING},
    "agent_execution": {_TIMING},
    "verifier": {_TIMING},
    "step_results": {_ARRAY}
\}}"""

AGENT_RESULT = ',\n    "agent_result": '
_SETTINGS = CommonPart(AGENT_RESULT)

type Parts = tuple[Any, ...]
"""Strings, and None for what is null."""


@cache
def _layout() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What comes before the common part, and what comes after; only who reads trials has the time to compile them."""
    return re.compile(_HEAD), re.compile(_TAIL)


def cut_trial(text: str) -> tuple[Parts, str, Parts]:
    """The parts of a trial's result.json. Of a member that is null the part is None.

    Returns:
        First task, name and source; then of the configured task path, repository, name and source.

        The text of the configuration from `timeout_multiplier` on, and of `agent_info` after it, up to `AGENT_RESULT`.

        Of `agent_result` all, the three counts, the cost and metadata; rewards, error, start, end, and steps. Metadata,
        rewards, error and steps are text that has yet to be parsed.

    Raises:
        ValueError: it has not Harbor's layout.
    """
    before, after = _layout()
    if (head := before.match(text)) is None or may_have_half_pairs(text):
        raise ValueError
    settings = _SETTINGS.at(text, head.end())
    if (tail := after.fullmatch(text, head.end() + len(settings))) is None:
        raise ValueError
    return head.groups(), settings, tail.groups()
