"""A runner in its own module, so that a program that serves it starts quickly."""

from parity.runners import CleanRoom


class Forgetful:
    """A runner that returns None for one reason code. The code is stored in the object, not in the class."""

    name = "forgetful"

    def __init__(self, forgotten: str | None) -> None:
        self.forgotten = forgotten

    def reason_code(self, text: str | None) -> str | None:
        code = CleanRoom().reason_code(text)
        return None if code == self.forgotten else code


RIGHT = Forgetful(None)
WRONG = Forgetful("harbor_reward_parse_error")
