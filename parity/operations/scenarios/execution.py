"""Until the predicates of `run_trial` are gone: the purposes of a trial's calls."""

from parity.operations.scenarios.scenario import TrialScenario


def purposes_of(scenario: TrialScenario) -> list[str]:
    """Return the purposes of the trial's calls, in order; an empty list if the trial cannot be run."""
    from contextlib import suppress

    from parity.operations.files.directories import scratch_directory
    from parity.runners.clean_room.scenarios import run_trial_scenario

    with suppress(Exception), scratch_directory() as directory:
        return [purpose for call in run_trial_scenario(scenario, directory)["calls"] for purpose in call]
    return []
