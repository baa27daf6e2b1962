"""Which rule a divergence breaks.

Flags narrow it down to a few candidates. Many rules say that two cases count the same (a trial without rewards
is a 0, a link is the file it leads to), and such a rule can be tried out: a runner that answers both cases
alike keeps it, so the fault must be elsewhere: perhaps where the flags of the other case point.
"""

import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from parity.compare import Difference
from parity.operations import ABSENT, AggregateCase, ErrorText, FileState, PassAtKCase, ResultFile, RewardFolder
from parity.operations.file_states import FileKind
from parity.rules import Rule, rules_in_question
from parity.scorer.number_text import plain_new_digits
from parity.scorer.pass_at_k import Trial, evals_key
from parity.scorer.trial_reward import MultiStepTrial, Step
from parity.scorer.values import Rewards


def _states(case: RewardFolder, change: Callable[[FileState], FileState]) -> RewardFolder:
    return replace(case, json=change(case.json), text=change(case.text))


def _json_alone(case: RewardFolder) -> RewardFolder:
    return replace(case, text=ABSENT) if case.json.kind not in ("absent", "dangling-link", "looping-link") else case


def _links_followed(case: RewardFolder) -> RewardFolder:
    followed: dict[FileKind, FileKind] = {"link": "file", "link-to-directory": "directory"}
    return _states(case, lambda state: replace(state, kind=followed.get(state.kind, state.kind)))


def _dangling_absent(case: RewardFolder) -> RewardFolder:
    return _states(case, lambda state: ABSENT if state.kind in ("dangling-link", "looping-link") else state)


def _empty_for(*kinds: str) -> Callable[[RewardFolder], RewardFolder]:
    return lambda case: _states(case, lambda state: FileState("file") if state.kind in kinds else state)


def _marks_as_text(case: RewardFolder) -> RewardFolder:
    """Byte order marks of UTF-8 as a letter, and whatever begins with another as bytes that are no text."""

    def changed(state: FileState) -> FileState:
        content = state.content
        if content.startswith(BOM_UTF8):
            return replace(state, content=b"x" + content.removeprefix(BOM_UTF8))
        return replace(state, content=b"\xff") if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else state

    return _states(case, changed)


def _small(case: RewardFolder) -> RewardFolder:
    """Without the blanks that make a file large, and zeros before another as one."""

    def changed(state: FileState) -> FileState:
        content = re.sub(rb"^0+(?=0)", b"", state.content)
        return replace(state, content=re.sub(rb" {1000,}", b" ", content))

    return _states(case, changed)


def _at_a_plain_path(case: RewardFolder) -> RewardFolder:
    return replace(case, within="", folder="folder" if case.folder == "link" else case.folder)


def _text(change: Callable[[str], str]) -> Callable[[RewardFolder], RewardFolder]:
    def changed(case: RewardFolder) -> RewardFolder:
        try:
            content = change(case.text.content.decode()).encode()
        except ValueError:
            return case
        return replace(case, text=replace(case.text, content=content))

    return changed


def _plain_digits(text: str) -> str:
    """With digits that the interpreter knows as 0 to 9; those of a later Unicode are letters like others to it."""
    plain = "".join(str(int(each)) if each.isdecimal() else each for each in text)
    return "".join(each if old == each else "x" for each, old in zip(plain, plain_new_digits(plain), strict=True))


def _document(change: Callable[[Any], Any]) -> Callable[[RewardFolder], RewardFolder]:
    def changed(case: RewardFolder) -> RewardFolder:
        try:
            document = change(json.loads(case.json.content))
        except (ValueError, RecursionError):
            return case
        return replace(case, json=replace(case.json, content=json.dumps(document).encode()))

    return changed


def _floats_for_bools(document: Any) -> Any:
    if not isinstance(document, dict):
        return document
    return {key: float(value) if isinstance(value, bool) else value for key, value in document.items()}


def _flat(case: RewardFolder) -> RewardFolder:
    """Without what is inside the arrays and objects that cannot count."""
    flat = _document(_flat_document)(case)
    if flat is not case:
        return flat
    content = re.sub(rb"\[{2,}", b"[", case.json.content)  # no JSON, and none with fewer brackets either
    return replace(case, json=replace(case.json, content=content))


def _flat_document(document: Any) -> Any:
    if isinstance(document, list):
        return []
    if not isinstance(document, dict):
        return document
    return {key: [] if isinstance(value, list | dict) else value for key, value in document.items()}


def _rewards(change: Callable[[Rewards | None, list[str]], Rewards | None]) -> Callable[[AggregateCase], AggregateCase]:
    def changed(case: AggregateCase) -> AggregateCase:
        keys = sorted({key for reward in case.rewards if reward for key in reward}) or ["reward"]
        return replace(case, rewards=tuple(change(reward, keys) for reward in case.rewards))

    return changed


def _zeros(keys: Iterable[str]) -> Rewards:
    return dict.fromkeys(keys, 0)


def _positive_zero(reward: Rewards | None) -> Rewards | None:
    return reward and {key: 0.0 if type(number) is float and number == 0 else number for key, number in reward.items()}


def _without_negative_zeros(case: AggregateCase) -> AggregateCase:
    # In a sum, which starts from the int 0, either zero adds nothing; an extreme keeps the sign.
    return case if case.metric in ("max", "min") else replace(case, rewards=tuple(map(_positive_zero, case.rewards)))


def _trials(change: Callable[[Trial], Trial]) -> Callable[[PassAtKCase], PassAtKCase]:
    return lambda case: PassAtKCase(tuple(map(change, case.trials)))


def _with_rewards(change: Callable[[Rewards], Rewards]) -> Callable[[PassAtKCase], PassAtKCase]:
    return _trials(lambda trial: replace(trial, rewards=change(trial.rewards)) if trial.rewards else trial)


def _one_name_a_group(case: PassAtKCase) -> PassAtKCase:
    firsts: dict[str, Trial] = {}
    renamed = []
    for trial in case.trials:
        first = firsts.setdefault(evals_key(trial.agent, trial.model, trial.source), trial)
        renamed.append(replace(trial, agent=first.agent, model=first.model, source=first.source))
    return PassAtKCase(tuple(renamed))


def _as_int(rewards: Rewards) -> Rewards:
    return {key: int(number) if number in (0, 1) else number for key, number in rewards.items()}


def _under_reward(rewards: Rewards) -> Rewards:
    return dict(zip(["reward"], rewards.values(), strict=True)) if len(rewards) == 1 else rewards


def _without_empty_names(trial: Trial) -> Trial:
    return replace(trial, model=trial.model or None, source=trial.source or None)


def _failed_for_null(trial: Trial) -> Trial:
    return replace(trial, rewards={"reward": 0}) if trial.rewards is None else trial


def _steps(change: Callable[[Step], Step]) -> Callable[[MultiStepTrial], MultiStepTrial]:
    return lambda case: replace(case, steps=tuple(map(change, case.steps)))


def _rounded_threshold(step: Step) -> Step:
    if isinstance(step.min_reward, Mapping):
        return replace(step, min_reward={key: float(bound) for key, bound in step.min_reward.items()})
    return step if step.min_reward is None else replace(step, min_reward=float(step.min_reward))


def _ungated(case: MultiStepTrial) -> MultiStepTrial:
    return case if case.verification else _steps(lambda step: replace(step, min_reward=None))(case)


def _harbor_timeout(step: Step) -> Step:
    return replace(step, agent="AgentTimeoutError") if step.agent == "TimeoutError" else step


def _result(change: Callable[[Any], Any]) -> Callable[[ResultFile], ResultFile]:
    def changed(case: ResultFile) -> ResultFile:
        try:
            document = change(json.loads(case.state.content))
        except (ValueError, ArithmeticError, RecursionError, AttributeError, TypeError):
            return case
        return replace(case, state=replace(case.state, content=json.dumps(document).encode()))

    return changed


def _with_counts(change: Callable[[Any], Any]) -> Callable[[ResultFile], ResultFile]:
    def changed(document: dict[str, Any]) -> dict[str, Any]:
        stats = document.get("stats", {})
        counts = {name: change(stats.get(name)) for name in ("n_completed_trials", "n_errored_trials")}
        planned = change(document.get("n_total_trials"))
        return {**document, "n_total_trials": planned, "stats": {**stats, **counts}}

    return _result(changed)


def _plain_count(count: Any) -> Any:
    return int(count) if isinstance(count, bool | float | str) and count else count


def _with_metrics(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[ResultFile], ResultFile]:
    def changed(document: dict[str, Any]) -> dict[str, Any]:
        stats = document["stats"]
        groups = {
            key: {**group, "metrics": [change(metric) for metric in group["metrics"]]}
            for key, group in stats["evals"].items()
        }
        return {**document, "stats": {**stats, "evals": groups}}

    return _result(lambda document: changed(document) if _has_all_members(document) else document)


def _has_all_members(document: Any) -> bool:
    groups = document.get("stats", {}).get("evals", {})
    return bool(groups) and all(isinstance(group.get("metrics"), list) for group in groups.values())


def _mean_alone(metric: dict[str, Any]) -> dict[str, Any]:
    return {"mean": metric["mean"]} if "mean" in metric else metric


def _plain_values(metric: dict[str, Any]) -> dict[str, Any]:
    return {key: float(value) if isinstance(value, bool | str) else value for key, value in metric.items()}


def _texts(change: Callable[[str], str]) -> Callable[[ErrorText], ErrorText]:
    return lambda case: case if case.text is None else ErrorText(change(case.text))


EQUIVALENTS: dict[str, Callable[[Any], Any]] = {
    "reward-file/json-wins": _json_alone,
    "reward-file/link-is-followed": _links_followed,
    "reward-file/dangling-link-is-absent": _dangling_absent,
    "reward-file/fifo-is-empty": _empty_for("fifo"),
    "reward-file/device-is-empty": _empty_for("device", "socket"),
    "reward-file/byte-order-mark-is-a-parse-error": _marks_as_text,
    "reward-file/any-size": _small,
    "reward-file/other-files": lambda case: replace(case, others={}),
    "reward-file/any-path": _at_a_plain_path,
    "reward-text/padding": _text(lambda text: text.strip(" \t\n\r\x0b\x0c")),
    "reward-text/unicode-padding": _text(str.strip),
    "reward-text/underscore": _text(lambda text: text.replace("_", "")),
    "reward-text/digits": _text(_plain_digits),
    "reward-text/spelling": _text(lambda text: repr(float(text))),
    "reward-json/nesting-held": _flat,
    "reward-json/duplicate-key": _document(lambda document: document),
    "reward-json/bool-is-float": _document(_floats_for_bools),
    "aggregate/null-is-zero": _rewards(lambda reward, keys: _zeros(keys) if reward is None else reward),
    "aggregate/empty-is-zero": _rewards(lambda reward, keys: _zeros(keys) if reward == {} else reward),
    "aggregate/missing-key-is-zero": _rewards(lambda reward, keys: reward and {**_zeros(keys), **reward}),
    "aggregate/different-single-keys": _rewards(lambda reward, keys: reward and {**_zeros(keys), **reward}),
    "summation/sign-of-zero": _without_negative_zeros,
    "pass-at-k/colliding-keys": _one_name_a_group,
    "pass-at-k/empty-names": _trials(_without_empty_names),
    "pass-at-k/null-fails": _trials(_failed_for_null),
    "pass-at-k/float-binary": _with_rewards(_as_int),
    "pass-at-k/any-key": _with_rewards(_under_reward),
    "trial-reward/unset-is-mean": lambda case: replace(case, strategy=case.strategy or "mean"),
    "trial-reward/agent-timeout": _steps(_harbor_timeout),
    "trial-reward/threshold-beyond-2**53": _steps(_rounded_threshold),
    "trial-reward/verification-disabled": _ungated,
    "outcome/duplicate-key": _result(lambda document: document),
    "outcome/falsy-count": _with_counts(lambda count: count or 0),
    "outcome/count": _with_counts(_plain_count),
    "outcome/mean-key": _with_metrics(_mean_alone),
    "outcome/metric-value": _with_metrics(_plain_values),
    "reason-code/lower-case": _texts(lambda text: text.lower().encode("ascii", "replace").decode()),
}
"""Rule to a function that turns a case into one that counts the same by that rule alone."""


def suspects(
    operation: str, flags: frozenset[str], difference: Difference, shows: Rule | None = None
) -> Sequence[Rule]:
    """The rules in question, the likeliest first.

    The one that a golden vector shows comes first, unless the case has none of its flags, as one that shows that a
    file does not count; where it cannot be tried out, after those before it that can.
    """
    rules = list(rules_in_question(operation, flags, difference, shows))
    if shows not in rules or shows.flags.isdisjoint(flags):
        return rules
    before = [] if shows.slug in EQUIVALENTS else rules[: rules.index(shows)]
    first = [*(rule for rule in before if rule.slug in EQUIVALENTS), shows]
    return [*first, *(rule for rule in rules if rule not in first)]
