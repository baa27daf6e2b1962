"""The fields of a trial's result.json that a job's stats need, held to what Harbor's models take.

Those are its names, agent_info, rewards, errors, what agents used, and the same of each step. Of the others, id,
trial_uri, task_checksum and task_id are only held to their types; timings, metadata, rollout details and all of the
configuration but task and agent are not looked at. Ids and times must have the spelling in which Harbor writes them.

Every function takes the name of the trial's folder, for the one line that says what is wrong.
"""

import math
import sys
from typing import Any

from parity.scorer.errors import ValidationError
from parity.scorer.from_disk.files import FolderError, is_uuid, seconds, shown, type_name
from parity.scorer.job import Usage
from parity.scorer.number_text import lax_int, lax_number
from parity.scorer.reward_file import validate_rewards
from parity.scorer.values import Number, Rewards

_SOME_ID = "00000000-0000-0000-0000-000000000000"


def check_required(folder: str, document: dict[str, Any]) -> None:
    """What Harbor's model needs although the stats do not. Without an id it would make one up."""
    if not is_uuid(document.get("id", _SOME_ID)):
        raise FolderError(result_file(folder), f"id must be a UUID, not {shown(document['id'])}")
    if type(document.get("trial_uri")) is not str:
        raise wrong(folder, "trial_uri", "a string", document.get("trial_uri"))
    if type(document.get("task_checksum")) is not str:
        raise wrong(folder, "task_checksum", "a string", document.get("task_checksum"))
    if type(document.get("task_id")) is not dict:
        raise wrong(folder, "task_id", "an object", document.get("task_id"))


def read_name(folder: str, field: str, value: object) -> str:
    """A string of which many trials have the same."""
    if type(value) is not str:
        raise wrong(folder, field, "a string", value)
    return sys.intern(value)


def read_verifier(folder: str, field: str, record: dict[str, Any]) -> tuple[bool, Rewards | None, bool]:
    """Whether there is a verifier result, its rewards, and whether numbers were lost in writing them."""
    verifier = record.get("verifier_result")
    if verifier is None:
        return False, None, False
    if type(verifier) is not dict:
        raise wrong(folder, field, "an object or null", verifier)
    rewards = verifier.get("rewards")
    if rewards is None:
        return True, None, False
    if type(rewards) is not dict:
        raise wrong(folder, f"{field}.rewards", "an object or null", rewards)
    for key, value in rewards.items():
        if (type(value) is not float and type(value) is not int) or "\ufffd" in key:
            return True, *_unusual(folder, field, rewards)
    return True, rewards, False


def _unusual(folder: str, field: str, rewards: dict[str, Any]) -> tuple[Rewards, bool]:
    """Rewards that are no plain numbers. What was lost, half surrogate pairs in keys included, is nan for now."""
    lost = any(value is None or "\ufffd" * 3 in key for key, value in rewards.items())
    filled = {key: math.nan if value is None else value for key, value in rewards.items()}
    try:
        return validate_rewards(filled) or {}, lost
    except ValidationError as error:
        raise FolderError(result_file(folder), f"{field}.rewards: {error}") from None


def read_exception(folder: str, prefix: str, record: dict[str, Any]) -> str | None:
    """Class name of the error that a trial or step records."""
    exception = record.get("exception_info")
    if exception is None:
        return None
    if type(exception) is not dict:
        raise wrong(folder, f"{prefix}exception_info", "an object or null", exception)
    for needed in ("exception_message", "exception_traceback"):
        if type(exception.get(needed)) is not str:
            raise wrong(folder, f"{prefix}exception_info.{needed}", "a string", exception.get(needed))
    if type(exception.get("occurred_at")) is not str:
        raise wrong(folder, f"{prefix}exception_info.occurred_at", "a time", exception.get("occurred_at"))
    read_time(folder, f"{prefix}exception_info.occurred_at", exception["occurred_at"])
    return read_name(folder, f"{prefix}exception_info.exception_type", exception.get("exception_type"))


def read_usage(folder: str, field: str, context: object) -> Usage | None:
    """What one run of the agent used."""
    if context is None:
        return None
    if type(context) is not dict:
        raise wrong(folder, field, "an object or null", context)
    reads = context.get("n_input_tokens")
    cached = context.get("n_cache_tokens")
    written = context.get("n_output_tokens")
    cost = context.get("cost_usd")
    if reads is not None and type(reads) is not int:
        reads = _lax_int(folder, f"{field}.n_input_tokens", reads)
    if cached is not None and type(cached) is not int:
        cached = _lax_int(folder, f"{field}.n_cache_tokens", cached)
    if written is not None and type(written) is not int:
        written = _lax_int(folder, f"{field}.n_output_tokens", written)
    if cost is not None and type(cost) is not float:
        cost = _lax_float(folder, f"{field}.cost_usd", cost)
    return Usage(reads, cached, written, cost)


def _lax_int(folder: str, field: str, value: object) -> int:
    """As pydantic does: a boolean, a whole float of 64 bits and a string of digits are ints too."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2.0**63:
        return int(value)
    number = lax_int(value) if isinstance(value, str) else value
    if not isinstance(number, int):
        raise wrong(folder, field, "an integer or null", value)
    return int(number)


def _lax_float(folder: str, field: str, value: object) -> float:
    number = lax_number(value) if isinstance(value, str) else value
    if not isinstance(number, int | float):
        raise wrong(folder, field, "a number or null", value)
    return _float(folder, field, number)


def _float(folder: str, field: str, number: Number) -> float:
    try:
        return float(number)
    except OverflowError:
        raise FolderError(result_file(folder), f"{field} is beyond the range of a double") from None


def read_time(folder: str, field: str, value: object) -> float:
    """Seconds since 1970; 0 where the file does not say."""
    if value is None:
        return 0.0
    if type(value) is not str:
        raise wrong(folder, field, "a time or null", value)
    try:
        return seconds(value)
    except (ValueError, OverflowError, OSError):
        raise FolderError(result_file(folder), f"{field} must be a time, not {shown(value)}") from None


def wrong(folder: str, field: str, wanted: str, value: object) -> FolderError:
    """The error for a value of the wrong type."""
    return FolderError(result_file(folder), f"{field} must be {wanted}, not {type_name(value)}")


def result_file(folder: str) -> str:
    """The file that errors name."""
    return f"{folder}/result.json"
