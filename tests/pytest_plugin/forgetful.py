"""A runner in a module of its own, so that a program that serves it starts soon."""

from parity.runners import CleanRoom


class Forgetful:
    """Answers reason codes but for one, which it keeps outside its class."""

    name = "forgetful"

    def __init__(self, forgotten: str | None) -> None:
        self.forgotten = forgotten

    def reason_code(self, text: str | None) -> str | None:
        code = CleanRoom().reason_code(text)
        return None if code == self.forgotten else code


RIGHT = Forgetful(None)
WRONG = Forgetful("harbor_reward_parse_error")
