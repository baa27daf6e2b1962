"""Strategies for the configurations of jobs."""

from pathlib import Path

from hypothesis import strategies as st

from parity.driver.documents.configurations import COMMAND_AGENT
from parity.formats.configuration import (
    AgentConfiguration,
    DatasetConfiguration,
    EnvironmentConfiguration,
    JobConfiguration,
    MetricConfiguration,
    RetryConfiguration,
    TaskConfiguration,
    VerifierConfiguration,
)

texts = st.text(st.characters(codec="utf-8"), max_size=12)
"""Any text that a document can hold."""

names = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=8)
"""Parts of paths."""

paths = st.builds(lambda absolute, parts: Path("/" * absolute, *parts), st.booleans(), st.lists(names, max_size=3))

variables = st.one_of(
    st.sampled_from(["PATH", "API_KEY", "api_token", "MY_PASSWORDS", "AUTHOR", "CREDENTIAL", "ſecret"]),
    texts,
)
"""Names of variables, many of them of secrets."""

values = st.one_of(
    st.sampled_from(
        ["${A}", "${A:-}", "${A:-x}y", "${}", "${A:B}", "${A:-x\ny}", "${A:-${B}}", "12345678", "123456789"]
    ),
    st.text("${}:-AB\n ", max_size=10),
    texts,
)
"""Values of variables, many of them templates or almost templates."""

envs = st.dictionaries(variables, values, max_size=3)

_numbers = st.floats(0, allow_nan=False, allow_infinity=False)
_times = st.none() | _numbers
_errors = st.none() | st.sets(st.sampled_from(["A", "AgentTimeoutError", "RuntimeError", "ä"]))

agents = st.builds(
    AgentConfiguration,
    name=st.sampled_from(["oracle", "nop"]),
    import_path=st.none() | st.just(COMMAND_AGENT),
    model_name=st.none() | texts,
    kwargs=st.dictionaries(texts, texts, max_size=1),
    env=envs,
    override_timeout_sec=_times,
    max_timeout_sec=_times,
    override_setup_timeout_sec=_times,
)

environments = st.one_of(
    st.builds(EnvironmentConfiguration, type=st.sampled_from([None, "docker", "singularity"])),
    st.builds(EnvironmentConfiguration, import_path=st.just("a.b:C"), kwargs=st.dictionaries(texts, texts, max_size=2)),
)

jobs = st.builds(
    JobConfiguration,
    job_name=names,
    jobs_dir=paths,
    datasets=st.lists(st.builds(DatasetConfiguration, path=paths, n_tasks=st.none() | st.integers(-3, 3)), max_size=2),
    tasks=st.lists(st.builds(TaskConfiguration, path=paths), max_size=2),
    n_attempts=st.integers(1, 3),
    n_concurrent_trials=st.integers(1, 100),
    quiet=st.booleans(),
    timeout_multiplier=_numbers,
    agent_timeout_multiplier=_times,
    verifier_timeout_multiplier=_times,
    agent_setup_timeout_multiplier=_times,
    environment_build_timeout_multiplier=_times,
    retry=st.builds(
        RetryConfiguration,
        max_retries=st.integers(0, 5),
        include_exceptions=_errors,
        exclude_exceptions=_errors,
        wait_multiplier=_numbers,
        min_wait_sec=_numbers,
        max_wait_sec=_numbers,
    ),
    environment=environments,
    verifier=st.builds(
        VerifierConfiguration, override_timeout_sec=_times, max_timeout_sec=_times, env=envs, disable=st.booleans()
    ),
    metrics=st.lists(st.builds(MetricConfiguration, type=st.sampled_from(["mean", "max", "min", "sum"])), max_size=2),
    agents=st.lists(agents, min_size=1, max_size=3),
)
