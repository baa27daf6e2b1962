"""Conditions on cases, differences and the reference's answers, which the rules for `run_trial` use."""

import json
import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import PurePosixPath
from typing import Any

from pydantic import ValidationError

from parity.formats.task import Artifact, Healthcheck, TaskConfig
from parity.operations.answers import Answer, Value
from parity.operations.compare import Difference
from parity.operations.rule import When, Where
from parity.operations.scenarios.document_differences import in_file_names
from parity.operations.scenarios.execution import purposes_of
from parity.operations.scenarios.recording import Effect
from parity.operations.scenarios.records import Record
from parity.operations.scenarios.scenario import TrialScenario
from parity.operations.scenarios.wire import TRIAL_CODEC
from parity.operations.wire import canonical

# Conditions on the task.


@lru_cache(64)
def _toml(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


@lru_cache(64)
def _config(text: str) -> TaskConfig:
    return TaskConfig.model_validate(_toml(text))


def in_task(holds: Callable[[TaskConfig], bool]) -> When:
    """Build a condition that holds if the predicate holds for the task's settings."""
    return lambda case: holds(_config(case.task.toml))


def is_package(task: TaskConfig) -> bool:
    return task.task is not None


def has_lax_value(case: TrialScenario) -> bool:
    """Return whether a value in task.toml has a different type than its setting, and needs to be converted."""
    try:
        TaskConfig.model_validate(_with_tuples(_toml(case.task.toml)), strict=True)
    except ValidationError:
        return True
    return False


def _with_tuples(value: Any) -> Any:
    """Replace lists by tuples, because pydantic's strict mode accepts no list for a field that is a tuple."""
    if isinstance(value, list):
        return tuple(map(_with_tuples, value))
    return {key: _with_tuples(each) for key, each in value.items()} if isinstance(value, dict) else value


def has_size_with_unit(case: TrialScenario) -> bool:
    task = _toml(case.task.toml)
    verifiers = [part.get("verifier", {}) for part in (task, *task.get("steps", []))]
    environments = [part.get("environment", {}) for part in (task, *verifiers)]
    return any(isinstance(each.get(size), str) for each in environments for size in ("memory", "storage"))


def has_nan_timeout(task: TaskConfig) -> bool:
    phases = [task.agent, task.verifier, *(phase for step in task.steps for phase in (step.agent, step.verifier))]
    times = [task.environment.build_timeout_sec, *(phase.timeout_sec for phase in phases)]
    return any(time != time for time in times)


def has_workdir(task: TaskConfig) -> bool:
    return bool(task.environment.workdir)


def _healthchecks(task: TaskConfig) -> list[Healthcheck]:
    checks = (task.environment.healthcheck, *(step.healthcheck for step in task.steps))
    return [check for check in checks if check is not None]


def has_healthcheck(task: TaskConfig) -> bool:
    return bool(_healthchecks(task))


def has_start_period(task: TaskConfig) -> bool:
    return any(check.start_period_sec > 0 for check in _healthchecks(task))


def allows_no_retry(task: TaskConfig) -> bool:
    """Return whether a healthcheck has zero or a negative number of retries."""
    return any(check.retries <= 0 for check in _healthchecks(task))


def has_step_user(task: TaskConfig) -> bool:
    return any(phase.user is not None for step in task.steps for phase in (step.agent, step.verifier))


def has_steps(task: TaskConfig) -> bool:
    return bool(task.steps)


def has_step_timeout(task: TaskConfig) -> bool:
    """Return whether a step has an agent timeout of its own."""
    return any(step.agent.timeout_sec is not None for step in task.steps)


def has_min_reward(task: TaskConfig) -> bool:
    return any(step.min_reward is not None for step in task.steps)


def has_separate_verifier(task: TaskConfig) -> bool:
    return any(task.is_separate(step) for step in task.steps or (None,))


def ends_with_separate_verifier(task: TaskConfig) -> bool:
    """Return whether the last step's verifier, or the task's if there are no steps, has a sandbox of its own."""
    return task.is_separate(task.steps[-1] if task.steps else None)


def _artifacts(task: TaskConfig) -> list[list[Artifact]]:
    """Return lists of artifacts that are downloaded together: for each step, the artifacts of the task and the step."""
    own = [step.artifacts for step in task.steps] or [()]
    return [[*task.artifacts, *each] for each in own]


def has_artifacts(task: TaskConfig) -> bool:
    return any(_artifacts(task))


def excludes_files(task: TaskConfig) -> bool:
    return any(each.exclude for artifacts in _artifacts(task) for each in artifacts)


def has_destination(task: TaskConfig) -> bool:
    """Return whether an artifact has a destination, or collides with another artifact or the manifest."""
    return any(map(_have_destination, _artifacts(task)))


def _have_destination(artifacts: list[Artifact]) -> bool:
    places = [(each.destination or PurePosixPath(each.source).name).strip("/") for each in artifacts]
    collide = len(set(places)) < len(places) or "manifest.json" in places
    return collide or any(each.destination for each in artifacts)


# Conditions on environment variables.


def has_variables(task: TaskConfig) -> bool:
    return any(each.env for each in task.environments())


def _of_verifiers(case: TrialScenario) -> list[list[dict[str, str]]]:
    """Return, for each verifier, the variables that the task, the step and the command line set."""
    task = _config(case.task.toml)
    own = [step.verifier.env for step in task.steps] or [{}]
    return [[task.verifier.env, each, dict(case.settings.verifier_env)] for each in own]


def overrides_variable(case: TrialScenario) -> bool:
    """Return whether two sources set the same variable for a verifier."""
    return any(len({*a, *b, *c}) < len(a) + len(b) + len(c) for a, b, c in _of_verifiers(case))


def _values_of_variables(case: TrialScenario) -> list[str]:
    task = _config(case.task.toml)
    tables = [case.settings.agent.env, task.solution.env, *(each.env for each in task.environments())]
    tables += chain.from_iterable(_of_verifiers(case))
    return [value for env in tables for value in env.values()]


_TEMPLATE = re.compile(r"\$\{([^}:]+)(:-.*)?\}")


def has_template(case: TrialScenario) -> bool:
    """Return whether the value of a variable is a template that can be resolved, or only looks like a template."""
    return any("${" in value and not _is_missing(value, case) for value in _values_of_variables(case))


def lacks_variable(case: TrialScenario) -> bool:
    """Return whether the value of a variable is a template without a default for a variable that is not set."""
    return any(_is_missing(value, case) for value in _values_of_variables(case))


def _is_missing(value: str, case: TrialScenario) -> bool:
    template = _TEMPLATE.fullmatch(value)
    return template is not None and template[2] is None and template[1] not in case.settings.host


# Conditions on the files of the task.


def has_files_for_image(case: TrialScenario) -> bool:
    """Return whether the task uses a prebuilt image, and its environment directory has files to upload."""
    names = case.task.files.keys()
    is_built = not names.isdisjoint({"environment/Dockerfile", "environment/docker-compose.yaml"})
    has_files = any(name.startswith("environment/") and name != "environment/" for name in names)
    return has_files and not is_built and bool(_config(case.task.toml).environment.docker_image)


def has_file_of_step(kind: str) -> When:
    """Build a condition that holds if a step has a file in its directory `kind`."""

    def condition(case: TrialScenario) -> bool:
        directories = tuple(f"steps/{step.name}/{kind}/" for step in _config(case.task.toml).steps)
        return any(name.startswith(directories) for name in case.task.files)

    return condition


_has_workdir_of_step = has_file_of_step("workdir")


def asks_working_directory(case: TrialScenario) -> bool:
    """Return whether files from the environment directory or from a step are uploaded to the working directory."""
    return _has_workdir_of_step(case) or has_files_for_image(case)


def prepares_step(case: TrialScenario) -> bool:
    """Return whether a step has a healthcheck or files of its own; a set-up script is a file."""
    return _has_workdir_of_step(case) or any(step.healthcheck for step in _config(case.task.toml).steps)


def has_canary(case: TrialScenario) -> bool:
    """Return whether an instruction begins with a canary or a blank line."""
    texts = [text for name, text in case.task.files.items() if PurePosixPath(name).name == "instruction.md"]
    lines = [text.split("\n") for text in texts]
    return any("canary" in first.lower() or (not first.strip() and rest) for first, *rest in lines)


# Conditions on the settings.


def has_other_agent(case: TrialScenario) -> bool:
    """Return whether the agent is not the oracle."""
    return case.settings.agent.name != "oracle"


def is_unverified(case: TrialScenario) -> bool:
    return not case.settings.verification


def is_mounted(case: TrialScenario) -> bool:
    return case.settings.mounted


def has_model(case: TrialScenario) -> bool:
    return bool(case.settings.agent.model)


def overrides_timeout(case: TrialScenario) -> bool:
    """Return whether the settings override the timeout of the agent or the verifier."""
    settings = case.settings
    return settings.agent.override_timeout is not None or settings.verifier_timeouts.override is not None


def overrides_setup_timeout(case: TrialScenario) -> bool:
    return case.settings.agent.override_setup_timeout is not None


def limits_timeouts(case: TrialScenario) -> bool:
    """Return whether the settings limit the timeout of the agent or the verifier."""
    return case.settings.agent.max_timeout is not None or case.settings.verifier_timeouts.max is not None


def has_specific_multiplier(case: TrialScenario) -> bool:
    factors = case.settings.multipliers
    specific = (factors.agent, factors.verifier, factors.agent_setup, factors.environment_build)
    return any(factor is not None for factor in specific)


# Conditions on the effects that the script has on calls. The clean room's calls show which calls are affected.


@lru_cache(64)
def _purposes(scenario: str) -> list[str]:
    return purposes_of(TRIAL_CODEC.decode(json.loads(scenario)))


def _effects(case: TrialScenario) -> list[tuple[str, Effect]]:
    """Return the effects on calls, each together with the purpose of its call."""
    if not case.script.effects:
        return []
    purposes = _purposes(canonical(TRIAL_CODEC.encode(case)))
    return [(purposes[place], effect) for place, effect in case.script.effects.items() if place < len(purposes)]


ENDS_PROGRAM = frozenset({"SystemExit", "KeyboardInterrupt"})
"""Exceptions that no trial catches."""


def program_ends(case: TrialScenario) -> bool:
    """Return whether a call raises an exception that ends the whole program."""
    return any(effect.text in ENDS_PROGRAM for _, effect in _effects(case))


def _raising(case: TrialScenario) -> list[str]:
    """Return the purposes of the calls that raise an error that a trial can catch."""
    return [purpose for purpose, effect in _effects(case) if effect.kind == "raise" and effect.text not in ENDS_PROGRAM]


def raises(*purposes: str) -> When:
    """Build a condition that holds if a call with one of these purposes raises an error."""
    return lambda case: not set(purposes).isdisjoint(_raising(case))


def fails(purpose: str) -> When:
    """Build a condition that holds if a command with this purpose exits with a code other than 0."""
    return lambda case: any(
        each == purpose and effect.kind == "exit" and effect.number for each, effect in _effects(case)
    )


def has_two_errors(case: TrialScenario) -> bool:
    return len(_raising(case)) > 1


def is_cancelled(case: TrialScenario) -> bool:
    return any(effect.kind == "cancel" for _, effect in _effects(case))


_raises_in_agent = raises("run-solution", "run-command")
_command_fails = fails("run-command")


def agent_fails(case: TrialScenario) -> bool:
    """Return whether the agent's command fails or cannot be run."""
    return _raises_in_agent(case) or _command_fails(case)


# Conditions on differences.


def in_artifacts(difference: Difference, answer: Answer) -> bool:
    """Return whether the names of files or the content of an artifact differ."""
    match difference.path:
        case ("files", str(name), *_):
            return name.startswith("artifacts/") or "/artifacts/" in name
    return in_file_names(difference, answer)


def lacks_text(difference: Difference, answer: Answer) -> bool:
    """Return whether only the reference or only the runner has a message or a traceback for an error."""
    if difference.aspect != "text" or not difference.path:
        return False
    is_empty = not difference.expected or not difference.actual
    step = difference.path[-1]
    return step in ("exception_traceback", "exception.txt") or (step == "exception_message" and is_empty)


def has_other_code(difference: Difference, answer: Answer) -> bool:
    """Return whether both messages of an error are present, but their reason codes differ."""
    is_message = difference.path[-1:] == ("exception_message",) and difference.aspect == "text"
    return is_message and not lacks_text(difference, answer)


# Conditions on the reference's answer.


def in_record(holds: Callable[[Record], bool]) -> Where:
    """Build a condition that holds if the predicate holds for the reference's record."""
    return lambda difference, answer: isinstance(answer, Value) and holds(answer.value)  # type: ignore[arg-type]


def _parts(trial: Record) -> list[Record]:
    """Return the results of a trial and its steps, or an empty list if result.json is missing or truncated."""
    result = trial.get("result")
    return [result, *(result.get("step_results") or [])] if isinstance(result, dict) else []


def error_of(part: Record) -> str | None:
    """Return the class of a trial's or step's error, or None if there is no error."""
    error = part.get("exception_info")
    return error and error["exception_type"]


def ends_with(kind: str) -> Where:
    """Build a condition that holds if the trial or one of its steps has an error of this class."""
    return in_record(lambda trial: any(error_of(part) == kind for part in _parts(trial)))


def _verifier_times_out(trial: Record) -> bool:
    parts = _parts(trial)
    return any(
        error_of(part) == "VerifierTimeoutError" or (error_of(part) == "TimeoutError" and part.get("verifier"))
        for part in parts
    )


verifier_times_out = in_record(_verifier_times_out)


def _calls(trial: Record) -> list[str]:
    return [purpose for call in trial["calls"] for purpose in call]


repeats_healthcheck = in_record(lambda trial: ("check-health", "check-health") in pairwise(_calls(trial)))
_healthcheck_fails = ends_with("HealthcheckError")


def tries_again(difference: Difference, answer: Answer) -> bool:
    """Return whether a healthcheck is tried several times or fails."""
    return repeats_healthcheck(difference, answer) or _healthcheck_fails(difference, answer)


def _lacks_artifact(trial: Record) -> bool:
    manifests = [text for name, text in trial["files"].items() if name.endswith("artifacts/manifest.json")]
    return any('"status": "failed"' in text for text in manifests)


lacks_artifact = in_record(_lacks_artifact)
