"""Strategies for settings of jobs."""

from pathlib import Path

from hypothesis import strategies as st

from parity.driver.settings import (
    AgentSettings,
    EnvironmentSettings,
    JobSettings,
    Multipliers,
    RetrySettings,
    VerifierTimeouts,
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

factors = st.floats(0, allow_nan=False, allow_infinity=False)
_errors = st.frozensets(st.sampled_from(["A", "AgentTimeoutError", "RuntimeError", "ä"]))

_times = st.none() | st.floats(allow_nan=False, allow_infinity=False)
_of_agents = {"model": st.none() | texts, **dict.fromkeys(("override_timeout", "max_timeout"), _times)}
_of_agents["override_setup_timeout"] = _times
agents = st.one_of(
    st.builds(AgentSettings, st.sampled_from(["oracle", "nop"]), st.none(), envs, **_of_agents),
    st.builds(AgentSettings, st.just("command"), texts, envs, **_of_agents),
)

environments = st.one_of(
    st.builds(EnvironmentSettings, st.sampled_from([None, "docker", "singularity"])),
    st.builds(EnvironmentSettings, st.none(), st.just("a.b:C"), st.dictionaries(texts, texts, max_size=2)),
)

job_settings = st.builds(
    JobSettings,
    names,
    jobs_dir=paths,
    datasets=st.lists(paths, max_size=2).map(tuple),
    tasks=st.lists(paths, max_size=2).map(tuple),
    n_attempts=st.integers(1, 3),
    n_concurrent=st.integers(1, 100),
    quiet=st.booleans(),
    multipliers=st.builds(Multipliers, factors, *[st.none() | factors] * 4),
    retry=st.builds(
        RetrySettings, st.integers(0, 5), st.none() | _errors, st.none() | _errors, factors, factors, factors
    ),
    environment=environments,
    agents=st.lists(agents, min_size=1, max_size=3).map(tuple),
    metrics=st.lists(st.sampled_from(["mean", "max", "min", "sum"]), max_size=2).map(tuple),
    verifier_timeouts=st.builds(VerifierTimeouts, _times, _times),
    n_tasks=st.none() | st.integers(-3, 3),
    verifier_env=envs,
    disable_verification=st.booleans(),
    allow_network=st.booleans(),
)
