"""Faults of `run_trial`: mounted sandboxes, timeouts of the settings, models, and what ends the program."""

from dataclasses import replace
from typing import Any
from unittest import mock

from parity.driver import multi_step, single_step, trial_life
from parity.driver.settings import AgentSettings, JobSettings
from parity.driver.trial_sandbox import TrialSandbox
from parity.driver.verifier import Verifier
from parity.operations.scenarios import execution
from tests.faulty.patches import Patch, agent_ends_as_error, replaced
from tests.faulty.run_trial.fault import TrialFault


class SettingsOfTrials(TrialFault):
    """A runner that misses a setting of a trial."""

    seen_by = "test_settings"


class ProgramEndIsRecorded(SettingsOfTrials):
    """Records what ends the program as the trial's error."""

    breaks = "run-trial/program-ends"

    def wrong(self) -> Patch:
        return replaced(TrialSandbox, "exec", agent_ends_as_error)


class MountedLogsAreCarriedOver(SettingsOfTrials):
    """Downloads and uploads the agent's logs although they are the host's."""

    breaks = "run-trial/mounted"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def fetch(life: Any) -> None:
                mounted, life.sandbox.mounted = life.sandbox.mounted, None
                try:
                    await original(life)
                finally:
                    life.sandbox.mounted = mounted

            return fetch

        return replaced(trial_life.TrialLife, "fetch_agent_logs", changed)


class MountedRewardsAreDownloaded(SettingsOfTrials):
    """Downloads what the tests left although it is the host's."""

    breaks = "run-trial/mounted"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def verify(verifier: Any, sandbox: Any, *arguments: Any, **options: Any) -> Any:
                mounted, sandbox.mounted = sandbox.mounted, None
                try:
                    return await original(verifier, sandbox, *arguments, **options)
                finally:
                    sandbox.mounted = mounted

            return verify

        return replaced(Verifier, "verify", changed)


class MountedArtifactsAreDownloaded(SettingsOfTrials):
    """Downloads `/logs/artifacts` although it is the host's."""

    breaks = "run-trial/mounted"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            async def download(sandbox: Any, *arguments: Any) -> None:
                mounted, sandbox.mounted = sandbox.mounted, None
                try:
                    await original(sandbox, *arguments)
                finally:
                    sandbox.mounted = mounted

            return download

        return replaced(single_step, "download_artifacts", changed)


class MountedFoldersArePrivate(SettingsOfTrials):
    """Leaves the mounted folders to the host's user."""

    breaks = "run-trial/mounted"

    def wrong(self) -> Patch:
        return mock.patch("pathlib.Path.chmod")


def _with_agent(**limits: object) -> Patch:
    """Trials whose agent is not limited by settings."""

    def changed(original: Any) -> Any:
        def plan(task: Any, name: str, folder: Any, settings: JobSettings, agent: AgentSettings, *more: Any) -> Any:
            return original(task, name, folder, settings, replace(agent, **limits), *more)  # type: ignore[arg-type]

        return plan

    return replaced(execution, "TrialPlan", changed)


class OverrideIsIgnored(SettingsOfTrials):
    """Gives the agent the task's timeout, whatever the settings say."""

    breaks = "run-trial/override-timeout"

    def wrong(self) -> Patch:
        return _with_agent(override_timeout=None)


class LongestTimeoutIsIgnored(SettingsOfTrials):
    """Gives the agent any timeout that the task says."""

    breaks = "run-trial/longest-timeout"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        return _with_agent(max_timeout=None)


class ZeroOverrideIsNoTime(SettingsOfTrials):
    """Gives the agent no time where the settings say 0."""

    breaks = "run-trial/override-timeout"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def limit(task: Any, step: Any, agent: AgentSettings, multipliers: Any) -> Any:
                return 0.0 if agent.override_timeout == 0.0 else original(task, step, agent, multipliers)

            return limit

        return replaced(single_step, "agent_timeout", changed)


class LongestTimeoutIsMultiplied(SettingsOfTrials):
    """Cuts the timeout after it is multiplied."""

    breaks = "run-trial/longest-timeout"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def limit(task: Any, step: Any, agent: AgentSettings, multipliers: Any) -> Any:
                whole = original(task, step, replace(agent, max_timeout=None), multipliers)
                return whole if whole is None or not agent.max_timeout else min(whole, agent.max_timeout)

            return limit

        return replaced(single_step, "agent_timeout", changed)


class VerifierOverrideIsIgnored(SettingsOfTrials):
    """Gives the verifier of a step its own timeout, whatever the settings say."""

    breaks = "run-trial/override-timeout"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def limit(task: Any, step: Any, settings: JobSettings) -> Any:
                limits = replace(settings.verifier_timeouts, override=None)
                return original(task, step, replace(settings, verifier_timeouts=limits))

            return limit

        return replaced(multi_step, "verifier_timeout", changed)


class SetupHasItsTime(SettingsOfTrials):
    """Gives the agent 360 seconds to set up, whatever the settings say."""

    breaks = "run-trial/override-setup-timeout"

    def wrong(self) -> Patch:
        return _with_agent(override_setup_timeout=None)


class ProvidersAreLost(SettingsOfTrials):
    """Writes a model without its provider."""

    breaks = "run-trial/model"

    def wrong(self) -> Patch:
        return mock.patch.object(AgentSettings, "model_provider", property(lambda agent: None))
