"""Rules of `run_trial`: what a trial asks of its sandboxes, and what it leaves on the host.

Calls are compared before results, and results before files, so the place of a difference says most about its cause.
"""

from parity.operations.rule import Rule, leaves_its_input, rules

_COMMANDS = "run-tests run-solution run-command set-up"

TIMES = "started_at finished_at updated_at created_at occurred_at"

_TEXTS = rules(
    "run_trial",
    "pydantic.BaseModel.model_dump_json",
    ("run-trial/document-layout", "", "Documents are indented by four blanks a level, with one blank after a colon and no line break at the end.", "layout", "texts/layout"),
    ("run-trial/document-spelling", "", "Numbers are spelled as in a job's result.json, and of strings only quotes, backslashes and control characters are escaped.", "layout", "texts/spelling"),
    ("run-trial/duplicate-key", "", "No object of a document has a key twice.", "layout", "texts/duplicate-key"),
)  # fmt: skip

_WRITTEN = rules(
    "run_trial",
    "harbor.models.trial.result",
    ("run-trial/time-format", "", "Times of a trial are in UTC and end in Z, those of errors are local and name no zone; both have six digits of a second's fraction, or none where it is 0.", "text", TIMES),
    ("run-trial/message-presence", "", "The message of an error is recorded, and its traceback, in result.json and exception.txt.", "text", "exception_message/presence exception_traceback/presence exception.txt/presence"),
    ("run-trial/message-code", "", "The message of an error gets the same reason code as Harbor's, alone and after the error's type.", "text", "exception_message/code"),
    ("run-trial/result-config", "", "result.json repeats what config.json says.", "", "result/config"),
)  # fmt: skip

_PREPARATION = rules(
    "run_trial",
    "harbor.trial.trial",
    ("run-trial/lax-values", "lax-value", "A value of another type counts as pydantic reads it: a text or true where a number is taken, a number or a word where a boolean is, a whole float as an int; a text stays a text where a user is named.", "", "timeout user resources network at exception_info verifier_result calls step_results"),
    ("run-trial/size-with-unit", "size-with-unit", "`memory = \"2G\"` is 2048 megabytes: K, M and G are powers of 1024, in any case, and what is left of a megabyte is cut off.", "", "resources"),
    ("run-trial/nan-timeout", "nan-timeout", "A timeout that is nan has passed as soon as something is waited for; the solution, whose timeout has to be whole seconds, does not run.", "", "at exception_info exception_type calls verifier_result"),
    ("run-trial/missing-variable", "template-missing", "A template without a default whose variable is not set is an error: before anything starts if it is the sandbox's or the agent's, else where it is needed."),
    ("run-trial/start-timeout", "start-timeout", "A sandbox that does not start in time is an EnvironmentStartTimeoutError.", "", "at exception_info exception_type calls"),
    ("run-trial/agent-setup-timeout", "agent-setup-timeout", "Setting the agent up has 360 seconds, multiplied; no time at all is an AgentSetupTimeoutError.", "", "exception_info agent_setup calls"),
    ("run-trial/sandbox", "", "A sandbox is started with the task's image, folder, resources and network.", "", "start/image start/folder start/resources start/network"),
    ("run-trial/image-files", "prebuilt-image-with-files", "Where nothing builds an image, the environment's files are uploaded to the working directory of the image that is named.", "", "upload-files ask-working-directory"),
    ("run-trial/working-directory", "workdir", "Commands run in the task's working directory, but for the one that makes the log folders.", "", "cwd"),
    ("run-trial/asked-working-directory", "step-files set-up prebuilt-image-with-files", "Files go where the sandbox says that it works, without blanks around it, or to the root where it says nothing.", "", "upload-files/target set-up/command"),
)  # fmt: skip

_HEALTH = rules(
    "run_trial",
    "harbor.environments.base",
    ("run-trial/healthcheck-start-period", "healthcheck-starting", "Failures within the start period do not count, and have an interval of their own.", "", "check-health at"),
    ("run-trial/healthcheck-retries", "healthcheck-again healthcheck-failed odd-retries", "A healthcheck that fails so often is an error, the first failure counts, and there is always one try.", "order length", "check-health"),
    ("run-trial/healthcheck-interval", "healthcheck-again", "Between two tries the interval passes.", "", "at"),
    ("run-trial/healthcheck-first", "healthcheck step-healthcheck", "The healthcheck comes before the agent.", "order length", "check-health"),
    ("run-trial/healthcheck-command", "healthcheck step-healthcheck", "The command of a healthcheck has its own timeout in whole seconds, and the user of its time: none in the beginning, the agent's in a step.", "", "check-health"),
)  # fmt: skip

_VARIABLES = rules(
    "run_trial",
    "harbor.utils.env",
    ("run-trial/verifier-variables", "overridden-variable", "The tests' variables are those of the task's verifier, over them the step's, and over them those of the command line.", "", "run-tests/env"),
    ("run-trial/templates", "template-set template-default not-a-template", "A value that is `${VAR}` or `${VAR:-default}` as a whole stands for the host's variable, which may be empty; anything else stands for itself.", "", "env"),
    ("run-trial/task-variables", "task-variables", "Every command gets the variables of its sandbox; those of its own come over them.", "", "env"),
    ("run-trial/instruction", "canary blank-lines", "Canaries and blank lines at the beginning of an instruction are not for the agent; further down they stay.", "", "run-command/env"),
    ("run-trial/agent-variables", "agent-variables solution-variables oracle", "The solution gets DEBIAN_FRONTEND, over it the agent's variables, over them the solution's; a command gets INSTRUCTION and the agent's.", "", "run-solution/env run-command/env"),
)  # fmt: skip

_USERS = rules(
    "run_trial",
    "harbor.trial.trial",
    ("run-trial/step-user", "step-user", "A step's user comes before the task's; a step that names none has the task's.", "", f"{' '.join(f'{name}/user' for name in _COMMANDS.split())} ask-working-directory/user check-health/user"),
    ("run-trial/verifier-user", "verifier-user agent-user", "The tests run as the verifier's user, never as the agent's.", "", "run-tests/user"),
    ("run-trial/agent-user", "agent-user", "The agent works as its own user, and so does a step's set-up.", "", "run-solution/user run-command/user set-up/user ask-working-directory/user"),
    ("run-trial/root-commands", "", "What prepares a sandbox runs as root: making and emptying folders, allowing scripts, looking for and packing artifacts.", "", "make-log-folders/user empty-folder/user allow-tests/user allow-solution/user look-for-folder/user pack-artifact/user remove-archive/user"),
    ("run-trial/output-redirected", "", "All that a script prints goes to a file in its log folder.", "", "run-tests/command run-solution/command run-command/command"),
)  # fmt: skip

_AGENTS = rules(
    "run_trial",
    "harbor.agents.oracle",
    ("run-trial/no-solution", "no-solution", "An oracle without a solution is a FileNotFoundError; nothing is verified."),
    ("run-trial/step-solution", "step-solution", "A step's own solution comes before the task's, and is not mixed with it.", "", "upload-solution"),
    ("run-trial/solution-by-oracle-only", "nop command", "Only the oracle gets the solution.", "order length", "upload-solution allow-solution run-solution"),
    ("run-trial/oracle-timeout", "", "The solution has the agent's timeout of the task in whole seconds, in a step too, and any time where that is none or zero.", "", "run-solution/timeout"),
    ("run-trial/oracle-output", "", "What the solution printed is downloaded once it has run.", "", "download-oracle-output"),
    ("run-trial/oracle-exit-code", "solution-fails", "That the solution fails is no error; its exit code goes to exit-code.txt.", "", "exception_info agent/exit-code.txt upload-agent-logs files keys"),
)  # fmt: skip

_VERIFIERS = rules(
    "run_trial",
    "harbor.verifier.verifier",
    ("run-trial/separate-has-tests", "separate-verifier", "A verifier's own sandbox is built with the tests, so none are uploaded.", "order length", "upload-tests"),
    ("run-trial/tests-after-agent", "", "The tests are uploaded when the agent is done: it never sees them.", "order length", "upload-tests"),
    ("run-trial/step-tests", "step-tests", "The task's tests are uploaded first, and a step's own over them.", "", "upload-tests"),
    ("run-trial/allow-before-run", "", "A script is made executable before it runs.", "order length", "allow-tests allow-solution"),
    ("run-trial/verification-disabled", "verification-disabled", "Where verification is disabled there is none."),
    ("run-trial/logs-reset", "multi-step", "The agent's logs are emptied before every step; the verifier's logs and the tests before it verifies in the agent's sandbox.", "", "empty-folder"),
    ("run-trial/stop-before-separate", "separate-last", "The agent's sandbox stops before the last verifier gets a sandbox of its own.", "order length", "stop start"),
    ("run-trial/separate-sandbox", "separate-verifier", "A verifier's own sandbox has a name of its own, the step's or the task's tests, and the step's or the task's environment.", "", "start sandbox cwd folder"),
    ("run-trial/artifacts-for-verifier", "separate-verifier", "A verifier's own sandbox gets the artifacts at the places that they came from.", "", "upload-files empty-folder"),
)  # fmt: skip

_ARTIFACTS = rules(
    "run_trial",
    "harbor.trial.artifact_handler",
    ("run-trial/artifact-failure", "artifact-missing raise-in-look-for-folder raise-in-download-artifact raise-in-pack-artifact", "An artifact that cannot be downloaded is noted and passed over; what cannot be looked at counts as a folder unless it has a suffix.", "", "calls exception_info artifacts/manifest.json"),
    ("run-trial/artifact-exclude", "artifact-exclude", "A folder of which some is left out is packed in the sandbox, without the same.", "", "pack-artifact remove-archive download-artifact"),
    ("run-trial/artifact-convention", "artifact artifact-convention step-artifact", "/logs/artifacts comes first, unless the task names it.", "", "look-for-folder"),
    ("run-trial/artifact-destination", "artifact-destination artifact-overlap", "An artifact lies at its destination, or at the last part of its source; an absolute destination is taken as a relative one.", "", "download-artifact artifacts/manifest.json files"),
    ("run-trial/artifact-manifest", "", "manifest.json lists all artifacts with what came of them.", "", "artifacts/manifest.json"),
)  # fmt: skip

_ERRORS = rules(
    "run_trial",
    "harbor.trial.trial",
    ("run-trial/multiplier", "specific-multiplier both-multipliers", "A specific multiplier replaces the general one.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/step-agent-timeout", "step-agent-timeout", "A step's timeout for the agent comes before the task's.", "", "at exception_info calls"),
    ("run-trial/step-verifier-timeout", "verifier-timeout", "A step's verifier has its own timeout, or else 600 seconds, never the task's; a timeout of a step keeps its name.", "", "at exception_info verifier_result exception_type calls"),
    ("run-trial/agent-timeout", "agent-timeout", "An agent that runs into its timeout is stopped there and then, and recorded as AgentTimeoutError.", "", "at exception_type exception_info calls"),
    ("run-trial/cancellation", "cancelled cancelled-stop cancelled-recovery", "A trial that is cancelled saves what there is, stops its sandbox and writes its result.", "", "calls result"),
    ("run-trial/stop-error", "raise-in-stop", "An error of stopping is the trial's unless it has one; a verifier's own sandbox may fail to stop.", "", "exception_info"),
    ("run-trial/first-error", "two-errors", "The first error is recorded.", "", "exception_info exception_type"),
    ("run-trial/verified-after-error", "agent-timeout command-fails raise-in-run-solution raise-in-run-command", "In a trial without steps only an agent that times out or exits with an error is verified all the same; in a step any is.", "", "run-tests upload-tests calls"),
    ("run-trial/logs-failure", "raise-in-download-agent-logs raise-in-upload-agent-logs", "That the agent's logs cannot be carried over is no error.", "", "exception_info calls"),
    ("run-trial/recovery", "", "After an error the agent's logs are saved, and of a trial without steps the artifacts, unless they are already.", "order length", "download-agent-logs look-for-folder"),
    ("run-trial/agent-logs", "", "The agent's logs are downloaded when it is done, and uploaded again with what was added to them.", "", "download-agent-logs upload-agent-logs"),
    ("run-trial/stop-once", "", "The agent's sandbox is stopped once, whatever happens.", "order length", "stop"),
)  # fmt: skip

_SETTINGS = rules(
    "run_trial",
    "harbor.trial.trial",
    ("run-trial/mounted", "mounted", "Where logs are mounted the host's folders are the sandbox's: nothing in them is carried over or emptied, and the host is let read them when the agent is done.", "", "start prepare-logs download-agent-logs upload-agent-logs download-oracle-output download-verifier-logs empty-folder look-for-folder calls artifacts/manifest.json"),
    ("run-trial/override-timeout", "overridden-timeout", "A timeout of the settings comes before those of the task and its steps; 0 says nothing.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/override-setup-timeout", "overridden-setup-timeout", "The settings say how long the agent may take to set up, also if it is 0.", "", "at exception_type exception_info agent_setup calls"),
    ("run-trial/longest-timeout", "longest-timeout", "No timeout is longer than the settings say, before it is multiplied; 0 says nothing.", "", "timeout at exception_type exception_info verifier_result calls"),
    ("run-trial/program-ends", "program-ends", "What ends the program is no error of the trial, nor is it verified or recovered: its sandbox stops, and its result is written.", "", "calls exception_info exception_type exception.txt files"),
    ("run-trial/model", "model", "A model is its provider, up to the first slash, and its name.", "", "agent_info model_info"),
)  # fmt: skip

_STEPS = rules(
    "run_trial",
    "harbor.trial.multi_step",
    ("run-trial/step-preparation", "step-files set-up step-healthcheck", "A step uploads its files, runs its set-up and checks its health, in this order, until one fails; then its agent does not work.", "", "upload-files set-up check-health upload-solution run-command"),
    ("run-trial/min-reward", "min-reward", "A step below what it demands ends the trial.", "length keys order", "calls step_results"),
    ("run-trial/step-archive", "multi-step", "What agent, verifier and artifacts left is moved to the step's folder when the step ends.", "keys", "files"),
    ("run-trial/rewards", "reward-text reward-json", "The rewards are what the file says; those of a task with steps are their mean, or those of the last.", "", "rewards verifier_result"),
)  # fmt: skip

_RECORDS = rules(
    "run_trial",
    "harbor.models.trial.result",
    ("run-trial/task-name", "package", "A task is called by its own name, or else by its folder's.", "", "task_name"),
    ("run-trial/timings", "", "Every phase that has begun has its times.", "", "environment_setup agent_setup agent_execution verifier"),
    ("run-trial/config", "", "config.json says how the trial was run, without secrets.", "", "config.json"),
    ("run-trial/calls", "", "A trial makes the same calls in the same order, each with the same arguments at the same time.", "", "calls"),
    ("run-trial/files", "", "A trial's folder holds the same files.", "", "files"),
    ("run-trial/result", "", "result.json says the same of a trial, but for ids and times."),
)  # fmt: skip

RULES: list[Rule] = [
    *_TEXTS,
    *_WRITTEN,
    *_SETTINGS,
    *_PREPARATION,
    *_HEALTH,
    *_VARIABLES,
    *_USERS,
    *_AGENTS,
    *_VERIFIERS,
    *_ARTIFACTS,
    *_ERRORS,
    *_STEPS,
    *_RECORDS,
    leaves_its_input("run_trial", "harbor.trial.trial"),
]
"""Special rules before general ones."""
