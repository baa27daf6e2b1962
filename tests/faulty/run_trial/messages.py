"""Faults in what is recorded of errors: their messages and tracebacks."""

from collections.abc import Callable
from typing import Any

from parity.driver import verifier
from parity.driver.documents.result_trees import Failure
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, NonZeroAgentExitCodeError
from parity.driver.trial_life import TrialLife
from parity.scorer import RewardFileEmptyError, ValidationError, VerifierOutputParseError
from tests.faulty.fault import Patch, breaks
from tests.faulty.patches import instead_of, patching, replaced


@breaks("run-trial/message-presence", seen_by="test_any_trial")
@instead_of(Failure, "tree")
def MessagesAreLost(original: Any, failure: Failure) -> Any:
    """Records no messages."""
    return {**original(failure), "exception_message": ""}


@breaks("run-trial/message-presence", seen_by="test_any_trial")
@instead_of(Failure, "tree")
def TracebacksAreLost(original: Any, failure: Failure) -> Any:
    """Records no tracebacks in result.json."""
    return {**original(failure), "exception_traceback": ""}


@breaks("run-trial/message-presence", seen_by="test_any_trial")
@instead_of(TrialLife, "fail")
def ExceptionsAreEmpty(original: Any, life: TrialLife, error: BaseException) -> None:
    """Leaves exception.txt empty."""
    original(life, error)
    (life.folder.path / "exception.txt").write_text("")


@breaks("run-trial/message-presence", seen_by="test_injected_faults")
@instead_of(Failure, "tree")
def CancelledTrialsSayWhy(original: Any, failure: Failure) -> Any:
    """Gives a cancelled trial a message, of which Harbor has none."""
    document = original(failure)
    return {**document, "exception_message": document["exception_message"] or "the trial was cancelled"}


@patching
def each_message(worded: Callable[[str, str, str], str]) -> Patch:
    """The messages of errors in other words, made of an error's class, its message and that of its cause."""

    def changed(original: Any) -> Any:
        def fail(life: TrialLife, error: BaseException) -> None:
            cause = str(error.__cause__ or "")
            error.args = (worded(type(error).__name__, str(error), cause), *error.args[1:])
            original(life, error)

        return fail

    return replaced(TrialLife, "fail", changed)


@breaks("run-trial/message-code", seen_by="test_what_is_seldom_drawn")
@each_message
def MessagesSayWhatWasRead(kind: str, message: str, cause: str) -> str:
    """Says what stands in a reward.txt that is no number."""
    return f"{message}: {cause}" if kind == VerifierOutputParseError.__name__ else message


@breaks("run-trial/message-code", seen_by="test_golden")
@each_message
def MessagesOfValidationSayNoValues(kind: str, message: str, cause: str) -> str:
    """Says of a reward.json that is no object of numbers no more than that."""
    return "rewards are no numbers" if kind == ValidationError.__name__ else message


@breaks("run-trial/message-code", seen_by="test_golden")
@each_message
def MessagesOfTransfersSayWhy(kind: str, message: str, cause: str) -> str:
    """Says why tests or rewards could not be transferred."""
    transfers = (AddTestsDirError.__name__, DownloadVerifierDirError.__name__)
    return f"{message}: {cause}" if kind in transfers else message


@breaks("run-trial/message-code", seen_by="test_injected_faults")
@each_message
def MessagesOfCommandsAreShort(kind: str, message: str, cause: str) -> str:
    """Does not say which command of an agent failed."""
    return "the command failed" if kind == NonZeroAgentExitCodeError.__name__ else message


@breaks("run-trial/message-code", seen_by="test_golden")
@each_message
def EmptyFilesHaveNoBytes(kind: str, message: str, cause: str) -> str:
    """Says in other words that a reward file is empty."""
    return "the reward file has no bytes" if kind == RewardFileEmptyError.__name__ else message


@breaks("run-trial/message-code", seen_by="test_golden")
@instead_of(verifier, "resolve")
def MissingVariablesAreNamedByTheirUser(original: Any, env: Any, host: Any) -> Any:
    """Says for which variable of the tests the host lacks one."""
    try:
        return original(env, host)
    except ValueError as error:
        raise ValueError(f"{', '.join(env)}: {error}") from None
