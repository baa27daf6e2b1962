"""The end of a run whose reference answers no more."""


class ReferenceLost(BaseException):
    """The reference gave no answer; one line that says why and what to do. No Exception, so that no test judges it."""
