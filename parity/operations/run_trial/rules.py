"""Rules for `run_trial`: the calls that a trial makes to its sandboxes, and the files that it leaves on the host.

Calls are compared before results, and results before files, because the first call that differs is closest to the
cause.
"""

from parity.operations.rule import Rule

GENERAL = {
    "": "run-trial/ends",
    "calls": "run-trial/calls",
    "result": "run-trial/result",
    "files": "run-trial/files",
    "texts": "run-trial/texts",
}
"""The general rule for each part of a transcript."""

RULES: list[Rule] = [
    # Documents.
    Rule(
        "run-trial/document-layout",
        "Documents MUST be indented by four blanks per level, with one blank after each colon and no line break at "
        "the end.",
        source="pydantic.BaseModel.model_dump_json",
    ),
    Rule(
        "run-trial/document-spelling",
        "Numbers MUST be spelled as in a job's result.json; in strings, only quotes, backslashes and control "
        "characters MUST be escaped.",
        source="pydantic.BaseModel.model_dump_json",
    ),
    Rule(
        "run-trial/duplicate-key",
        "An object in a document MUST NOT have the same key twice.",
        source="pydantic.BaseModel.model_dump_json",
    ),
    Rule(
        "run-trial/time-format",
        "Times of a trial MUST be in UTC and end in Z, and times of errors MUST be local, without a zone; both have"
        " six digits for the fraction of a second, or none if it is 0.",
        source="harbor.trial.trial.Trial._now and harbor.models.trial.result.ExceptionInfo.from_exception",
    ),
    Rule(
        "run-trial/message-presence",
        "The message and the traceback of an error MUST be recorded, in result.json and exception.txt.",
        source="harbor.models.trial.result.ExceptionInfo.from_exception and harbor.trial.trial.Trial._record_exception",
    ),
    Rule(
        "run-trial/message-code",
        "The message of an error MUST have the same reason code as Harbor's message, both alone and after the "
        "error's type.",
        source="harbor.models.trial.result.ExceptionInfo.from_exception",
    ),
    Rule(
        "run-trial/result-config",
        "result.json MUST repeat the content of config.json.",
        source="harbor.trial.trial.Trial._init_result",
    ),
    # The settings.
    Rule(
        "run-trial/mounted",
        "If logs are mounted, host and sandbox share the directories: their content MUST NOT be transferred or emptied,"
        " and the host MUST get the right to read it after the agent has ended.",
        source=(
            "harbor.trial.trial.Trial._download_agent_logs, harbor.trial.trial.Trial._upload_agent_logs, "
            "harbor.trial.multi_step.MultiStepTrial._reset_agent_logs_for_step and "
            "harbor.verifier.verifier.Verifier.verify"
        ),
    ),
    Rule(
        "run-trial/override-timeout",
        "A timeout in the settings MUST override those of the task and its steps; 0 counts as not set.",
        source=(
            "harbor.trial.trial.Trial._compute_agent_timeout_sec and "
            "harbor.trial.trial.Trial._compute_verifier_timeout_sec"
        ),
    ),
    Rule(
        "run-trial/override-setup-timeout",
        "The settings MUST override the timeout of the agent's set-up, even with 0.",
        source="harbor.trial.trial.Trial._compute_agent_setup_timeout_sec",
    ),
    Rule(
        "run-trial/longest-timeout",
        "The longest timeout in the settings MUST limit every timeout before it is multiplied; 0 counts as not set.",
        source="harbor.trial.trial.Trial._resolve_timeout_sec",
    ),
    Rule(
        "run-trial/program-ends",
        "An exception that ends the program MUST NOT be recorded as the trial's error, and the trial MUST NOT be "
        "verified or recovered: its sandbox stops, and its result is written.",
        source="harbor.trial.trial.Trial.run",
    ),
    Rule(
        "run-trial/model",
        "A model MUST be split at its first slash into its provider and its name.",
        source="harbor.agents.base.BaseAgent._init_model_info",
    ),
    # The task, and its sandbox.
    Rule(
        "run-trial/lax-values",
        "A value of another type MUST be converted as pydantic converts it: a text or true to a number, a number or"
        " a word to a boolean, a whole float to an int; a user given as text stays a text.",
        source="harbor.models.task.config.TaskConfig.model_validate_toml",
    ),
    Rule(
        "run-trial/size-with-unit",
        '`memory = "2G"` MUST be 2048 megabytes: K, M and G are powers of 1024, in lower or upper case, and a '
        "fraction of a megabyte is cut off.",
        source="harbor.models.task.config.EnvironmentConfig._parse_size_to_mb",
    ),
    Rule(
        "run-trial/nan-timeout",
        "A timeout of nan MUST end at the first wait; the solution MUST NOT run, because its timeout has to be a "
        "whole number of seconds.",
        source="asyncio.wait_for and harbor.agents.oracle.OracleAgent.run",
    ),
    Rule(
        "run-trial/missing-variable",
        "If a template has no default and its variable is not set, this MUST be an error: for the sandbox or the "
        "agent before anything starts, otherwise where the value is needed.",
        source="harbor.utils.env.resolve_env_vars",
    ),
    Rule(
        "run-trial/start-timeout",
        "A sandbox that does not start in time MUST raise EnvironmentStartTimeoutError.",
        source="harbor.trial.trial.Trial._start_agent_environment",
    ),
    Rule(
        "run-trial/agent-setup-timeout",
        "The agent's set-up MAY take 360 seconds, multiplied; a timeout of zero MUST raise AgentSetupTimeoutError.",
        source="harbor.trial.trial.Trial._compute_agent_setup_timeout_sec and harbor.trial.trial.Trial._setup_agent",
    ),
    Rule(
        "run-trial/sandbox",
        "A sandbox MUST be started with the task's image, directory, resources and network.",
        source="harbor.trial.trial.Trial._init_agent_environment",
    ),
    Rule(
        "run-trial/image-files",
        "If the task names an image and nothing builds one, the environment's files MUST be uploaded to the image's"
        " working directory.",
        source="harbor.environments.base.BaseEnvironment._upload_environment_dir_after_start",
    ),
    Rule(
        "run-trial/working-directory",
        "Commands MUST run in the task's working directory, except the one that makes the log directories.",
        source="harbor.environments.docker.docker.DockerEnvironment.exec",
    ),
    Rule(
        "run-trial/asked-working-directory",
        "Files MUST be uploaded to the working directory that the sandbox prints, without blanks around it, or to "
        "the root if it prints nothing.",
        source=(
            "harbor.trial.multi_step.MultiStepTrial._upload_step_workdir and "
            "harbor.environments.base.BaseEnvironment._upload_environment_dir_after_start"
        ),
    ),
    # Healthchecks.
    Rule(
        "run-trial/healthcheck-start-period",
        "Failures within the start period MUST NOT count; an interval of their own follows each of them.",
        source="harbor.environments.base.BaseEnvironment.run_healthcheck",
    ),
    Rule(
        "run-trial/healthcheck-retries",
        "A healthcheck MUST raise an error after as many successive failures as it has retries, the first one "
        "included, and there is always one try.",
        source="harbor.environments.base.BaseEnvironment.run_healthcheck",
    ),
    Rule(
        "run-trial/healthcheck-interval",
        "The interval MUST pass between two tries.",
        source="harbor.environments.base.BaseEnvironment.run_healthcheck",
    ),
    Rule(
        "run-trial/healthcheck-first",
        "The healthcheck MUST come before the agent.",
        source="harbor.trial.trial.Trial._prepare and harbor.trial.multi_step.MultiStepTrial._prepare_step",
    ),
    Rule(
        "run-trial/healthcheck-command",
        "The command of a healthcheck MUST have its own timeout, in whole seconds; it MUST name no user at the "
        "beginning, and the agent's user in a step.",
        source="harbor.environments.base.BaseEnvironment.run_healthcheck",
    ),
    # Variables.
    Rule(
        "run-trial/verifier-variables",
        "The tests MUST get the variables of the task's verifier; the step's override them, and those of the "
        "command line override both.",
        source="harbor.verifier.verifier.Verifier.verify",
    ),
    Rule(
        "run-trial/templates",
        "A value that is exactly `${VAR}` or `${VAR:-default}` MUST stand for the host's variable, even if that is "
        "empty; any other value MUST stand for itself.",
        source="harbor.utils.env.resolve_env_vars",
    ),
    Rule(
        "run-trial/task-variables",
        "Every command MUST get the variables of its sandbox; its own variables override them.",
        source="harbor.environments.base.BaseEnvironment._merge_env",
    ),
    Rule(
        "run-trial/instruction",
        "Canaries and blank lines at the beginning of an instruction MUST be removed for the agent; further down, "
        "they MUST stay.",
        source="harbor.models.task.task.strip_canary",
    ),
    Rule(
        "run-trial/agent-variables",
        "The solution MUST get DEBIAN_FRONTEND, the agent's variables and the solution's, where later ones override"
        " earlier ones; a command MUST get INSTRUCTION and the agent's variables.",
        source="harbor.agents.oracle.OracleAgent.run",
    ),
    # Users and output of commands.
    Rule(
        "run-trial/step-user",
        "A step's user MUST take precedence over the task's; a step that names no user has the task's.",
        source=(
            "harbor.trial.multi_step.MultiStepTrial._step_agent_user and "
            "harbor.trial.multi_step.MultiStepTrial._step_verifier_user"
        ),
    ),
    Rule(
        "run-trial/verifier-user",
        "The tests MUST run as the verifier's user, never as the agent's.",
        source="harbor.trial.trial.Trial._run_shared_verifier and harbor.trial.trial.Trial._run_separate_verifier",
    ),
    Rule(
        "run-trial/agent-user",
        "The agent and a step's set-up MUST run as the agent's user.",
        source="harbor.trial.trial.Trial._run_agent_phase and harbor.trial.multi_step.MultiStepTrial._prepare_step",
    ),
    Rule(
        "run-trial/root-commands",
        "Commands that prepare a sandbox MUST run as root: those that make and empty directories, make scripts "
        "executable, and look for and pack artifacts.",
        source=(
            "harbor.environments.base.BaseEnvironment._reset_dirs_user, harbor.verifier.verifier.Verifier.verify, "
            "harbor.agents.oracle.OracleAgent.run and "
            "harbor.trial.artifact_handler.ArtifactHandler._download_artifact"
        ),
    ),
    Rule(
        "run-trial/output-redirected",
        "All output of a script MUST go to a file in its log directory.",
        source="harbor.utils.scripts.build_execution_command",
    ),
    # Agents.
    Rule(
        "run-trial/no-solution",
        "An oracle without a solution MUST raise FileNotFoundError, and the trial MUST NOT be verified.",
        source="harbor.agents.oracle.OracleAgent.run",
    ),
    Rule(
        "run-trial/step-solution",
        "A step's own solution MUST replace the task's; the two MUST NOT be mixed.",
        source="harbor.agents.oracle.OracleAgent._resolve_solution_paths",
    ),
    Rule(
        "run-trial/solution-by-oracle-only",
        "Only the oracle MUST get the solution.",
        source="harbor.agents.oracle.OracleAgent.run",
    ),
    Rule(
        "run-trial/oracle-timeout",
        "The solution MUST have the timeout of the task's agent, in whole seconds, even in a step; it has no limit "
        "if that timeout is missing or zero.",
        source="harbor.agents.oracle.OracleAgent.run",
    ),
    Rule(
        "run-trial/oracle-output",
        "The output of the solution MUST be downloaded after it has run.",
        source="harbor.agents.oracle.OracleAgent.run",
    ),
    Rule(
        "run-trial/oracle-exit-code",
        "A solution that fails MUST NOT be an error; its exit code MUST be written to exit-code.txt.",
        source="harbor.agents.oracle.OracleAgent.run",
    ),
    # Verifiers.
    Rule(
        "run-trial/separate-has-tests",
        "A verifier's own sandbox is built with the tests, so they MUST NOT be uploaded.",
        source="harbor.trial.trial.Trial._run_separate_verifier and harbor.verifier.verifier.Verifier.verify",
    ),
    Rule(
        "run-trial/tests-after-agent",
        "The tests MUST be uploaded after the agent has ended, so it never sees them.",
        source="harbor.verifier.verifier.Verifier.verify",
    ),
    Rule(
        "run-trial/step-tests",
        "The task's tests MUST be uploaded first, and a step's own tests over them.",
        source="harbor.verifier.verifier.Verifier._resolve_tests",
    ),
    Rule(
        "run-trial/allow-before-run",
        "A script MUST be made executable before it runs.",
        source="harbor.verifier.verifier.Verifier.verify and harbor.agents.oracle.OracleAgent.run",
    ),
    Rule(
        "run-trial/verification-disabled",
        "If verification is disabled, a trial MUST NOT be verified.",
        source=(
            "harbor.trial.single_step.SingleStepTrial._run_verifier and "
            "harbor.trial.multi_step.MultiStepTrial._run_step_verifier"
        ),
    ),
    Rule(
        "run-trial/logs-reset",
        "The agent's logs MUST be emptied before every step; the verifier's logs and the tests MUST be emptied "
        "before each verification in the agent's sandbox.",
        source=(
            "harbor.trial.multi_step.MultiStepTrial._reset_agent_logs_for_step and "
            "harbor.trial.multi_step.MultiStepTrial._reset_shared_step_verifier_dirs"
        ),
    ),
    Rule(
        "run-trial/stop-before-separate",
        "The agent's sandbox MUST stop before the last verifier gets a sandbox of its own.",
        source="harbor.trial.single_step.SingleStepTrial._run and harbor.trial.multi_step.MultiStepTrial._run_step",
    ),
    Rule(
        "run-trial/separate-sandbox",
        "A verifier's own sandbox MUST have a name of its own, the step's or the task's tests, and the step's or "
        "the task's environment.",
        source="harbor.trial.trial.Trial._separate_verifier_env",
    ),
    Rule(
        "run-trial/artifacts-for-verifier",
        "A verifier's own sandbox MUST get the artifacts at their original places.",
        source="harbor.trial.artifact_handler.ArtifactHandler.upload_artifacts",
    ),
    # Artifacts.
    Rule(
        "run-trial/artifact-failure",
        "An artifact that cannot be downloaded MUST be recorded and skipped; if the check for a directory cannot be "
        "run, an artifact without a suffix MUST count as a directory.",
        source="harbor.trial.artifact_handler.ArtifactHandler._download_artifact",
    ),
    Rule(
        "run-trial/artifact-exclude",
        "A directory with excluded files MUST be packed in the sandbox, without those files.",
        source="harbor.environments.base.BaseEnvironment.download_dir_with_exclusions",
    ),
    Rule(
        "run-trial/artifact-convention",
        "/logs/artifacts MUST come first, unless the task names it.",
        source="harbor.trial.artifact_handler.ArtifactHandler._normalized_artifacts",
    ),
    Rule(
        "run-trial/artifact-destination",
        "An artifact MUST be stored at its destination, or at the last part of its source if it has none; an "
        "absolute destination counts as a relative one.",
        source="harbor.trial.artifact_handler.ArtifactHandler._host_path",
    ),
    Rule(
        "run-trial/artifact-manifest",
        "manifest.json MUST list all artifacts, each with its status.",
        source="harbor.trial.artifact_handler.ArtifactHandler.download_artifacts",
    ),
    # Timeouts and errors.
    Rule(
        "run-trial/multiplier",
        "A specific multiplier MUST replace the general one.",
        source="harbor.trial.trial.Trial._resolve_timeout_sec",
    ),
    Rule(
        "run-trial/step-agent-timeout",
        "A step's timeout for the agent MUST take precedence over the task's.",
        source="harbor.trial.multi_step.MultiStepTrial._step_agent_timeout_sec",
    ),
    Rule(
        "run-trial/step-verifier-timeout",
        "A step's verifier MUST have its own timeout, or else 600 seconds, never the task's; a timeout in a step "
        "MUST be recorded as TimeoutError.",
        source=(
            "harbor.trial.multi_step.MultiStepTrial._step_verifier_timeout_sec and "
            "harbor.trial.multi_step.MultiStepTrial._run_step_verifier"
        ),
    ),
    Rule(
        "run-trial/agent-timeout",
        "An agent that exceeds its timeout MUST be stopped at that moment, and the error MUST be recorded as "
        "AgentTimeoutError.",
        source="harbor.trial.trial.Trial._run_agent_phase",
    ),
    Rule(
        "run-trial/cancellation",
        "A cancelled trial MUST save the files that exist, stop its sandbox and write its result.",
        source="harbor.trial.trial.Trial.run",
    ),
    Rule(
        "run-trial/stop-error",
        "An error while the agent's sandbox stops MUST become the trial's error, unless there is one already; a "
        "verifier's own sandbox MAY fail to stop.",
        source="harbor.trial.trial.Trial._stop_agent_environment and harbor.trial.trial.Trial._separate_verifier_env",
    ),
    Rule(
        "run-trial/first-error",
        "Of several errors, the first MUST be recorded.",
        source=(
            "harbor.trial.trial.Trial._record_exception and harbor.trial.multi_step.MultiStepTrial._run_step_verifier"
        ),
    ),
    Rule(
        "run-trial/verified-after-error",
        "After an error of the agent, a trial without steps MUST be verified only if the agent timed out or exited "
        "with an error; a step MUST always be verified.",
        source=(
            "harbor.trial.single_step.SingleStepTrial._run_agent and "
            "harbor.trial.multi_step.MultiStepTrial._run_step_agent"
        ),
    ),
    Rule(
        "run-trial/logs-failure",
        "A failed transfer of the agent's logs MUST NOT be an error.",
        source="harbor.trial.trial.Trial._download_agent_logs and harbor.trial.trial.Trial._upload_agent_logs",
    ),
    Rule(
        "run-trial/recovery",
        "After an error, the agent's logs MUST be saved, and in a trial without steps the artifacts as well, unless"
        " they already are.",
        source=(
            "harbor.trial.single_step.SingleStepTrial._recover_outputs and "
            "harbor.trial.multi_step.MultiStepTrial._recover_outputs"
        ),
    ),
    Rule(
        "run-trial/agent-logs",
        "The agent's logs MUST be downloaded after the agent has ended, and uploaded again with the files that were"
        " added.",
        source="harbor.trial.trial.Trial._sync_agent_output and harbor.trial.trial.Trial._upload_agent_logs",
    ),
    Rule(
        "run-trial/stop-once",
        "The agent's sandbox MUST be stopped once, whatever happens.",
        source="harbor.trial.trial.Trial._stop_agent_environment",
    ),
    Rule(
        "run-trial/test-exit-code",
        "A test script that exits with another code than 0 MUST NOT be an error: the rewards that it leaves MUST "
        "count.",
        source="harbor.verifier.verifier.Verifier.verify",
    ),
    # Steps and rewards.
    Rule(
        "run-trial/step-preparation",
        "A step MUST upload its files, run its set-up and check its health, in this order; once one of them fails, "
        "the others and the agent MUST NOT run.",
        source=(
            "harbor.trial.multi_step.MultiStepTrial._prepare_step and harbor.trial.multi_step.MultiStepTrial._run_step"
        ),
    ),
    Rule(
        "run-trial/min-reward",
        "A step with less than its minimum reward MUST end the trial.",
        source="harbor.trial.multi_step.MultiStepTrial._should_stop_after_step",
    ),
    Rule(
        "run-trial/step-archive",
        "When a step ends, the files of agent, verifier and artifacts MUST be moved to the step's directory.",
        source="harbor.trial.multi_step.MultiStepTrial._archive_step_outputs",
    ),
    Rule(
        "run-trial/rewards",
        "The rewards MUST be those of the reward file; a task with steps MUST get their mean, or those of the last "
        "step.",
        source=(
            "harbor.verifier.verifier.Verifier.verify and "
            "harbor.trial.multi_step.MultiStepTrial._select_multi_step_reward"
        ),
    ),
    # All else.
    Rule(
        "run-trial/task-name",
        "A task MUST have its own name, or else the name of its directory.",
        source="harbor.models.task.task.Task",
    ),
    Rule(
        "run-trial/timings",
        "The times of every phase that has begun MUST be recorded.",
        source=(
            "harbor.trial.trial.Trial._setup_agent_environment, harbor.trial.trial.Trial._setup_agent, "
            "harbor.trial.trial.Trial._run_agent_phase and harbor.trial.single_step.SingleStepTrial._run_verifier"
        ),
    ),
    Rule(
        "run-trial/config",
        "config.json MUST have every member of Harbor's TrialConfig, with the settings as given, but without "
        "secrets, which are variables with KEY, SECRET, TOKEN, PASSWORD, CREDENTIAL or AUTH in their names: "
        "`${NAME}` stands for a value that the host has under the same name, else `****` for one of up to eight "
        "characters, and for a longer one its first four characters, `****`, and its last three.",
        source="harbor.trial.trial.Trial._init_result and harbor.utils.env.templatize_sensitive_env",
    ),
    Rule(
        "run-trial/calls",
        "A trial MUST start its sandbox, make the log directories, upload the environment's files and check its health;"
        " then, once or for each step, prepare the step, run the agent, transfer its logs, download artifacts, and "
        "verify; and at last stop the sandbox. Each call MUST begin when the one before it has ended, except for "
        "the waits of a healthcheck.",
        source="harbor.trial.trial.Trial.run",
    ),
    Rule(
        "run-trial/files",
        "A trial's directory MUST hold config.json, result.json, trial.log and, after an error of the trial itself, "
        "exception.txt; the directories `agent`, `verifier` and `artifacts`, of a step below `steps` and its name, MUST"
        " hold what was downloaded, and the artifacts' manifest.json.",
        source="harbor.models.trial.paths.TrialPaths",
    ),
    Rule(
        "run-trial/result",
        "result.json MUST have every member of Harbor's TrialResult, also those that are null.",
        source="harbor.trial.trial.Trial._finalize",
    ),
    Rule(
        "run-trial/texts",
        "Documents MUST be written as pydantic writes them: the layout, the spelling of each value, and each key once.",
        source="pydantic.BaseModel.model_dump_json",
    ),
    Rule(
        "run-trial/ends",
        "A trial MUST end with its result, whatever fails in it; an error before it begins MUST be raised, under "
        "Harbor's name.",
        source="harbor.trial.trial.Trial.create and harbor.trial.trial.Trial.run",
    ),
]
"""The rules for `run_trial`."""
