"""The base class of all operations, and the encoding of answers in golden vectors and replay files."""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from parity.operations import compare
from parity.operations.answers import Answer, Fault, Value
from parity.operations.codec import Codec
from parity.operations.compare import Difference, Ordered, compare_answers, everywhere, with_sorted_keys
from parity.operations.rule import Rule
from parity.operations.wire import Json, WireError, canonical, decode, encode

HARBOR = "harbor"
DESCRIPTION = "the scoring description"
"""The authority for operations that no wheel implements."""


class Operation[Case](ABC):
    """One kind of question that a runner can answer.

    The runner's method has the same name as the operation, and accepts the arguments that `arguments` prepares from a
    case. The arguments are created anew for every call, and the reference is called before the runner, so that a
    runner that modifies its arguments cannot affect any later call.
    """

    name: ClassVar[str]
    rules: ClassVar[Sequence[Rule]]
    """The operation's rules, special ones before general ones. Attribution tries the rules in this order."""

    general: ClassVar[Mapping[str, str]] = {}
    """The slug of the general rule for each first step in the path of a difference.

    The empty string stands for the empty path, such as that of an error in place of a value or of a crash, and for all
    steps that are not listed. If the mapping is empty, conditions in the rules decide which one a divergence breaks.
    """

    codec: Codec[Case]
    """The encoder and decoder for cases."""

    path_member: ClassVar[str | None] = None
    """The key of the argument in a question over the pipe if the argument is a path, else None."""

    @contextmanager
    def arguments(self, case: Case) -> Iterator[tuple[Any, ...]]:
        """Yield the arguments for one call. Files that the call needs are created before and removed afterwards.

        By default, the only argument is a copy of the case. pickle copies it faster than `deepcopy`.
        """
        yield (pickle.loads(pickle.dumps(case)),)

    @abstractmethod
    def describe(self, case: Case) -> str:
        """Describe the case in one line for readers. The description is exact except for the payload of a nan."""

    def needs_modes(self, case: Case) -> bool:
        """Return whether a file or directory of the case is unreadable. The case is skipped if root runs the suite."""
        return False

    def encode(self, case: Case) -> Json:
        """Encode the case in its wire form, which replay files and golden vectors also use."""
        return self.codec.encode(case)

    def wire_form(self, case: Case) -> Json | None:
        """Return the case in its wire form, or None if it has none or encoding it fails."""
        try:
            encoded = self.encode(case)
            canonical(encoded)
        except Exception:  # a case is drawn as it is; only one that is written needs a wire form
            return None
        return encoded

    def decode(self, value: Any) -> Case:
        """Decode a case; the inverse of `encode`.

        Raises:
            WireError: the value is not a case of this operation.
        """
        return self.codec.decode(value)

    def decode_value(self, value: Json) -> Any:
        """Decode the value of an answer. Operations whose values have keys that are not strings override this method.

        Raises:
            WireError: the operation cannot return such a value.
        """
        return decode(value)

    def case_of(self, *arguments: Any) -> Case:
        """Rebuild the case from the arguments of a call. This is not used if the argument is a path."""
        (case,) = arguments
        return case  # type: ignore[no-any-return]

    def ordered(self, case: Case) -> Ordered:
        """Return a function that decides for each path in the answer whether the order of keys is compared there."""
        return everywhere

    def unordered(self, case: Case) -> compare.Path | None:
        """Return the path to the object in which the reference's order of keys varies between runs, or None."""
        return None

    def authority(self, case: Case) -> str:
        """Return the name of the authority for the expected answer to a case."""
        return HARBOR

    def question(self, *arguments: Any) -> Json:
        """Build the question that is sent over the pipe from the arguments of a call."""
        return {self.path_member: str(arguments[0])} if self.path_member else self.encode(self.case_of(*arguments))

    @contextmanager
    def decoded_arguments(self, question: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the arguments of a call for a question that was received over the pipe.

        Raises:
            WireError: the question does not have the form that this operation requires.
        """
        if self.path_member is None:
            with self.arguments(self.decode(question)) as arguments:
                yield arguments
            return
        match question:
            case {self.path_member: str(path)} if len(question) == 1:
                yield (Path(path),)
            case _:
                raise WireError(f"a question for {self.name} must have {self.path_member} as its only key, with a path")

    def with_stable_order(self, case: Case, answer: Answer) -> Answer:
        """Sort the keys in an answer where their order varies between runs, so that the answer can be recorded."""
        path = self.unordered(case)
        if path is None or not isinstance(answer, Value):
            return answer
        return replace(answer, value=with_sorted_keys(answer.value, path))

    def compare(self, case: Case, expected: Answer, actual: Answer) -> Difference | None:
        """Return the first difference between two answers to the case, or None."""
        difference = compare_answers(expected, actual, ordered=self.ordered(case))
        match difference, expected, actual:
            case Difference(), Value(left), Value(right):
                try:
                    return self.restated(difference, left, right)
                except Exception:  # a runner's value may be any object
                    return difference
        return difference

    def restated(self, difference: Difference, expected: Any, actual: Any) -> Difference:
        """Give a difference between two values a more specific path. By default, it stays as it is."""
        return difference

    def general_rule(self, difference: Difference) -> Rule:
        """Return the general rule that a difference breaks, if the operation has general rules."""
        step = str(next(iter(difference.path), ""))
        slug = self.general.get(step, self.general[""])
        return next(rule for rule in self.rules if rule.slug == slug)


def encode_answer(answer: Answer) -> Json:
    """Encode an answer for golden vectors and replay files: its value, or the kind of the fault."""
    if isinstance(answer, Value):
        return {"value": encode(answer.value)}
    if isinstance(answer, Fault):
        return {"fault": {"kind": answer.kind}}
    raise WireError(f"a {type(answer).__name__} cannot be recorded as an answer")


def decode_answer(operation: Operation[Any], value: Json) -> Answer:
    """Decode an answer; the inverse of `encode_answer`.

    Raises:
        WireError: the JSON is neither a value nor a fault.
    """
    match value:
        case {"value": encoded}:
            return Value(operation.decode_value(encoded))
        case {"fault": {"kind": str(kind)}}:
            return Fault(kind)
    raise WireError("an answer must have a value, or a fault with a kind")
