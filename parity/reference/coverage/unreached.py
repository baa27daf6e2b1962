"""Why the default profile leaves some places of the scoring modules unreached.

No place that is reached may stand here, and no other may be missing: the tests that run the default profile see to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from parity.reference.coverage.places import Places


@dataclass(frozen=True)
class Unreached:
    """Places of one module that share a reason."""

    module: str
    places: tuple[str, ...]
    """Lines (`12`, `12-15`), ways out of decisions (`12->15`), or functions by qualified name."""

    reason: str

    def meant(self, places: Places) -> Iterator[tuple[str, set[str]]]:
        """What each of them stands for in its module; nothing where there is no such place."""
        for named in self.places:
            yield named, _meant(named, places)


def _meant(named: str, places: Places) -> set[str]:
    if not named[0].isdigit():
        return {place for place, owner in places.owners.items() if owner == named or owner.startswith(f"{named}.<")}
    if "->" in named:
        return {named} & places.branches
    first, _, last = named.partition("-")
    return {line for line in places.lines if int(first) <= int(line) <= int(last or first)}


_OWN_CLASS = "for a verifier of the user's own class; the reference judges Harbor's"
_GUARD = "a guard: Harbor's own configuration keeps it from happening"
_ABSTRACT = "abstract: its subclasses run"
_OLD_RESULT = "for a result.json of an earlier run, which only a resumed job reads: see tests/driver/test_resume.py"

UNREACHED = (
    Unreached("harbor.verifier.base", ("BaseVerifier.verify",), _ABSTRACT),
    Unreached(
        "harbor.verifier.factory",
        ("VerifierFactory.create_verifier_from_import_path", "61-71", "76-79"),
        _OWN_CLASS,
    ),
    Unreached("harbor.verifier.verifier", ("103-105", "125-129"), "a task without tests is refused when it is loaded"),
    Unreached("harbor.verifier.verifier", ("185->193",), "for Windows"),
    Unreached(
        "harbor.models.task.verifier_mode",
        ("task_has_any_shared_verifier", "task_has_any_separate_verifier"),
        "nothing in Harbor asks it",
    ),
    Unreached("harbor.trial.single_step", ("26",), _GUARD),
    Unreached("harbor.trial.multi_step", ("28",), _GUARD),
    Unreached(
        "harbor.trial.multi_step",
        ("34:17->34:43", "199", "210"),
        "a task with steps has at least one, and that always leaves a result",
    ),
    Unreached(
        "harbor.trial.multi_step",
        ("184:52->184:85",),
        "a step without a result ends the trial, or nothing is verified, before its threshold is looked at",
    ),
    Unreached("harbor.trial.multi_step", ("367",), "a verifier's timeout has a default, and TOML no null"),
    Unreached("harbor.trial.trial", ("465-468", "505-506", "532-533"), _GUARD),
    Unreached(
        "harbor.trial.queue",
        ("32-33", "36:46->36:76"),
        "a job makes its queue without hooks and says to it when to retry",
    ),
    Unreached(
        "harbor.trial.queue",
        (
            "TrialQueue.on_trial_started", "TrialQueue.on_environment_started", "TrialQueue.on_agent_started",
            "TrialQueue.on_verification_started", "TrialQueue.on_trial_ended", "TrialQueue.on_trial_cancelled",
        ),
        "for programs that watch a queue; a job adds its own hooks one by one",
    ),
    Unreached("harbor.trial.queue", ("145-146",), "the last attempt always returns"),
    Unreached("harbor.metrics.base", ("BaseMetric.compute",), _ABSTRACT),
    Unreached("harbor.metrics.factory", ("46-47",), _GUARD),
    Unreached(
        "harbor.metrics.uv_script",
        ("UvScript.__init__", "UvScript.compute"),
        "for a script of the dataset's author, which uv runs and fetches packages for",
    ),
    Unreached("harbor.utils.pass_at_k", ("49",), "a trial's result holds numbers only"),
    Unreached("harbor.utils.pass_at_k", ("56",), "a group has at least one trial"),
    Unreached("harbor.models.job.result", ("47", "249"), "for what is no JSON object; Harbor gives it objects only"),
    Unreached("harbor.models.job.result", ("JobStats.from_counts",), "only Harbor's viewer asks it"),
    Unreached(
        "harbor.models.job.result",
        ("192->next", "198->200"),
        "what is taken out of the stats was added to them before",
    ),
    Unreached(
        "harbor.models.job.result",
        (
            "56", "228", "229->233", "255:45->255:75", "258:17->258:38", "258:17->258:65", "263",
        ),
        _OLD_RESULT,
    ),
    Unreached("harbor.job", ("429",), "nothing in Harbor writes its trials into a result.json"),
    Unreached("harbor.job", ("470-471", "616-617"), _GUARD),
    Unreached("harbor.job", ("475-523",), "for a dataset of a registry, which is fetched over the network"),
    Unreached("harbor.job", ("706-722",), "shows progress on a terminal; the reference runs quietly"),
)  # fmt: skip
"""In the order of the modules."""
