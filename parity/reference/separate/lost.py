"""The exception that ends a run when the reference no longer answers."""


class ReferenceLost(BaseException):
    """The reference gave no answer. The message is one line: why, and what to do.

    It is not an Exception, so that no test takes it for a failure of the runner.
    """
