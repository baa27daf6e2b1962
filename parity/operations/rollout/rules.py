"""Rules for `harbor_env`: the documented scoring of HarborEnv, and rewards under Harbor's scoring."""

from parity.operations.rule import Rule

GENERAL = {
    "": "harbor-env/ends",
    "refused": "harbor-env/refused",
    "rollouts": "harbor-env/rollouts",
    "average": "harbor-env/average",
}
"""The general rule for each part of an answer under Harbor's scoring; no other cases are drawn."""

_DOCUMENTATION = "HarborEnv of verifiers"
_KIT = "this kit"  # Harbor does not reduce rewards under several keys to one number

_DOCUMENTED = {
    "documented-env/filter": "`tasks` MUST choose by name; a name that no directory has MUST be left out.",
    "documented-env/incomplete-folder": (
        "A directory without task.toml or instruction.md MUST be left out, or refused if `tasks` names it."
    ),
    "documented-env/refused": (
        "A dataset MUST be refused if it has no task, or if the task.toml of a task is not TOML, its "
        "environment is not a table, or its files are not UTF-8."
    ),
    "documented-env/instruction": (
        "The prompt MUST be one message of the user: the instruction without white space around it, and with "
        "every line end as a line feed."
    ),
    "documented-env/config": "`info.config` MUST be the parsed task.toml.",
    "documented-env/image": (
        "A task's image MUST take precedence over the environment's; an empty one MUST count as none."
    ),
    "documented-env/order": "Tasks MUST come in order of name, by code points, and MUST be numbered from 0.",
    "documented-env/rows": "A row MUST name the task and its directory.",
    "documented-env/given-variables": (
        "Given variables MUST override HARBOR_… and AGENT_WORKDIR, but OPENAI_BASE_URL and OPENAI_MODEL MUST "
        "always be the rollout's."
    ),
    "documented-env/model": "OPENAI_MODEL MUST be set only if there is a model.",
    "documented-env/workdir": (
        "An environment without a working directory for its agent MUST NOT make such a directory, and MUST NOT "
        "set AGENT_WORKDIR."
    ),
    "documented-env/variables": (
        "The agent MUST get HARBOR_TASK_NAME, HARBOR_TASK_DIR, HARBOR_INSTRUCTION_PATH, AGENT_WORKDIR and "
        "OPENAI_BASE_URL."
    ),
    "documented-env/before-the-agent": (
        "Before the agent runs, /task MUST have instruction.md and task.toml and nothing else, and "
        "/logs/verifier MUST exist."
    ),
    "documented-env/after-the-agent": (
        "After the agent has run, `tests` MUST be uploaded to /tests and `solution` to /oracle."
    ),
    "documented-env/test-run": "The tests MUST run as `bash test.sh` in /tests.",
    "documented-env/timeout": "The tests MAY take 300 seconds; after that, the reward MUST be 0.0, with an error.",
    "documented-env/skipped": (
        "If the sandbox cannot be prepared for the agent, scoring MUST be skipped: there is an error, the "
        "reward MUST be 0.0, and the tests MUST NOT be uploaded or run."
    ),
    "documented-env/call-fails": "If a call fails, the reward MUST be 0.0, with an error.",
    "documented-env/exit-code": "The exit code of the tests MUST NOT count.",
    "documented-env/no-error": "A missing file, or one that cannot be read as a reward, MUST NOT be an error.",
    "documented-env/empty-text": "reward.txt MUST take precedence over reward.json, unless it has no bytes.",
    "documented-env/json-in-text": "Either file MAY hold a number or JSON.",
    "documented-env/number": (
        "A file MUST be a number if Python's `float` reads it: `.5`, `5.`, `+1` and `1e-3`, with single "
        "underscores, digits of any script, and any white space around it."
    ),
    "documented-env/reward-key": "In JSON, the key `reward` MUST count; if it is missing, the reward MUST be 0.0.",
    "documented-env/value": "Any value that `float` accepts MUST be a number, such as true and a string of digits.",
    "documented-env/zero": "If the file gives no number, the reward MUST be 0.0.",
    "documented-env/unbounded": "A number MUST NOT be bounded: it MAY be nan or infinite.",
    "documented-env/reward": "The reward MUST be a float.",
    "documented-env/average": "The average MUST be the mean of all rewards.",
}
"""Rules for the documented scoring. No wheel implements it and no cases are drawn, so only vectors demonstrate them."""

RULES: list[Rule] = [
    Rule(
        "harbor-env/refused",
        "A dataset MUST be refused if a trial of Harbor does not accept one of its tasks; a task without the "
        "directory `environment` MUST be accepted.",
        source="harbor.models.task.task.Task",
    ),
    Rule(
        "harbor-env/test-command",
        "The test script MUST be run directly, and all its output MUST go to /logs/verifier/test-stdout.txt.",
        source="harbor.utils.scripts.build_execution_command",
    ),
    Rule(
        "harbor-env/test-folder",
        "The tests MUST run in the working directory of the task.",
        source="harbor.environments.docker.docker.DockerEnvironment.exec",
    ),
    Rule(
        "harbor-env/test-variables",
        "The tests MUST have the variables of `environment.env`; those of `verifier.env` override them.",
        source="harbor.environments.base.BaseEnvironment._merge_env and harbor.verifier.verifier.Verifier.verify",
    ),
    Rule(
        "harbor-env/test-timeout",
        "The tests MAY take `verifier.timeout_sec`; after that, there MUST be no rewards, and the error MUST "
        "be VerifierTimeoutError.",
        source="harbor.trial.single_step.SingleStepTrial._run_verifier",
    ),
    Rule(
        "harbor-env/ambiguous",
        "Several keys without `reward` do not give one number: the reward MUST be 0.0 and the error "
        "AmbiguousRewardError; all keys are in `rewards`.",
        source=_KIT,
    ),
    Rule(
        "harbor-env/huge-int",
        "An int beyond the range of a double, under any key, has no mean: the reward MUST be 0.0 and the "
        "error OverflowError; the int is in `rewards`.",
        source="harbor.metrics.mean.Mean.compute",
    ),
    Rule(
        "harbor-env/call-fails",
        "The error of a failed call MUST have the name that Harbor gives it: AddTestsDirError, "
        "DownloadVerifierDirError, or its own.",
        source="harbor.verifier.verifier.Verifier.verify",
    ),
    Rule(
        "harbor-env/no-rewards",
        "Without rewards and without an error, the reward MUST be 0.0.",
        source="harbor.metrics.base.aggregate_reward_dicts",
    ),
    Rule(
        "harbor-env/message-code",
        "The message of an error MUST have the same reason code as Harbor's message.",
        source="harbor.models.trial.result.ExceptionInfo.from_exception",
    ),
    Rule(
        "harbor-env/error",
        "An error of the verifier MUST be recorded by Harbor's name, and the reward MUST be 0.0.",
        source="harbor.verifier.verifier.Verifier.verify and harbor.models.trial.result.ExceptionInfo.from_exception",
    ),
    Rule(
        "harbor-env/rewards",
        "`rewards` MUST have all keys as Harbor reads them; reward.json takes precedence over reward.txt.",
        source="harbor.verifier.verifier.Verifier.verify",
    ),
    Rule(
        "harbor-env/one-key",
        "A single key MUST count, whatever its name is.",
        source="harbor.metrics.base.aggregate_reward_dicts",
    ),
    Rule(
        "harbor-env/several-keys",
        "Of several keys, `reward` MUST count.",
        source=_KIT,
    ),
    Rule(
        "harbor-env/negative-zero",
        "-0.0 MUST become 0.0, because the mean starts from the int 0.",
        source="builtins.sum and harbor.metrics.mean.Mean.compute",
    ),
    Rule(
        "harbor-env/reward",
        "The reward MUST be a float: Harbor's mean over the trial alone.",
        source="harbor.metrics.mean.Mean.compute",
    ),
    Rule(
        "harbor-env/average",
        "The average MUST be Harbor's mean over all rollouts; those without rewards count as 0.",
        source="harbor.metrics.mean.Mean.compute",
    ),
    Rule(
        "harbor-env/rollouts",
        "A rollout MUST run the tests as Harbor's verifier does, and MUST have all rewards, one reward, and the error.",
        source="harbor.verifier.verifier.Verifier.verify",
    ),
    Rule(
        "harbor-env/ends",
        "An environment MUST end with its rollouts and their average, whatever the tests leave, or refuse its dataset.",
        source="harbor.models.task.task.Task and harbor.trial.trial.Trial.run",
    ),
    *(Rule(slug, sentence, source=_DOCUMENTATION) for slug, sentence in _DOCUMENTED.items()),
    Rule(
        "documented-env/never-raises",
        "Whatever the tests leave, the reward MUST be a number: reading it MUST NOT raise.",
        source=_DOCUMENTATION,
    ),
]
