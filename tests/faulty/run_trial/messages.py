"""Faults in what is recorded of errors: their messages and tracebacks."""

from abc import abstractmethod
from typing import Any

from parity.driver import verifier
from parity.driver.documents.result_trees import Failure
from parity.driver.documents.templates import resolve
from parity.driver.errors import AddTestsDirError, DownloadVerifierDirError, NonZeroAgentExitCodeError
from parity.driver.trial_life import TrialLife
from parity.scorer import RewardFileEmptyError, ValidationError, VerifierOutputParseError
from tests.faulty.patches import Patch, replaced
from tests.faulty.run_trial.fault import TrialFault


class MessagesAreLost(TrialFault):
    """Records no messages."""

    breaks = "run-trial/message-presence"

    def wrong(self) -> Patch:
        return replaced(
            Failure, "tree", lambda original: lambda failure: {**original(failure), "exception_message": ""}
        )


class TracebacksAreLost(TrialFault):
    """Records no tracebacks in result.json."""

    breaks = "run-trial/message-presence"

    def wrong(self) -> Patch:
        return replaced(
            Failure, "tree", lambda original: lambda failure: {**original(failure), "exception_traceback": ""}
        )


class ExceptionsAreEmpty(TrialFault):
    """Leaves exception.txt empty."""

    breaks = "run-trial/message-presence"

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def fail(life: TrialLife, error: BaseException) -> None:
                original(life, error)
                (life.folder.path / "exception.txt").write_text("")

            return fail

        return replaced(TrialLife, "fail", changed)


class CancelledTrialsSayWhy(TrialFault):
    """Gives a cancelled trial a message, of which Harbor has none."""

    breaks = "run-trial/message-presence"
    seen_by = "test_injected_faults"

    def wrong(self) -> Patch:
        def tree(failure: Failure, original: Any) -> Any:
            document = original(failure)
            return {**document, "exception_message": document["exception_message"] or "the trial was cancelled"}

        return replaced(Failure, "tree", lambda original: lambda failure: tree(failure, original))


class _MessageFault(TrialFault):
    """A runner that words the messages of errors in another way."""

    @abstractmethod
    def worded(self, kind: str, message: str, cause: str) -> str:
        """The message of an error of this class and cause, whose message should be as given."""

    def wrong(self) -> Patch:
        def changed(original: Any) -> Any:
            def fail(life: TrialLife, error: BaseException) -> None:
                cause = str(error.__cause__ or "")
                error.args = (self.worded(type(error).__name__, str(error), cause), *error.args[1:])
                original(life, error)

            return fail

        return replaced(TrialLife, "fail", changed)


class MessagesSayWhatWasRead(_MessageFault):
    """Says what stands in a reward.txt that is no number."""

    breaks = "run-trial/message-code"

    def worded(self, kind: str, message: str, cause: str) -> str:
        return f"{message}: {cause}" if kind == VerifierOutputParseError.__name__ else message


class MessagesOfValidationSayNoValues(_MessageFault):
    """Says of a reward.json that is no object of numbers no more than that."""

    breaks = "run-trial/message-code"
    seen_by = "test_golden"

    def worded(self, kind: str, message: str, cause: str) -> str:
        return "rewards are no numbers" if kind == ValidationError.__name__ else message


class MessagesOfTransfersSayWhy(_MessageFault):
    """Says why tests or rewards could not be transferred."""

    breaks = "run-trial/message-code"
    seen_by = "test_golden"

    def worded(self, kind: str, message: str, cause: str) -> str:
        transfers = (AddTestsDirError.__name__, DownloadVerifierDirError.__name__)
        return f"{message}: {cause}" if kind in transfers else message


class MessagesOfCommandsAreShort(_MessageFault):
    """Does not say which command of an agent failed."""

    breaks = "run-trial/message-code"
    seen_by = "test_injected_faults"

    def worded(self, kind: str, message: str, cause: str) -> str:
        return "the command failed" if kind == NonZeroAgentExitCodeError.__name__ else message


class EmptyFilesHaveNoBytes(_MessageFault):
    """Says in other words that a reward file is empty."""

    breaks = "run-trial/message-code"
    seen_by = "test_golden"

    def worded(self, kind: str, message: str, cause: str) -> str:
        return "the reward file has no bytes" if kind == RewardFileEmptyError.__name__ else message


class MissingVariablesAreNamedByTheirUser(TrialFault):
    """Says for which variable of the tests the host lacks one."""

    breaks = "run-trial/message-code"
    seen_by = "test_golden"

    def wrong(self) -> Patch:
        def changed(env: Any, host: Any) -> dict[str, str]:
            try:
                return resolve(env, host)
            except ValueError as error:
                raise ValueError(f"{', '.join(env)}: {error}") from None

        return replaced(verifier, "resolve", lambda original: changed)
