"""Runners in any language: programs that are spoken to over a pipe. PROTOCOL.md says how; the rest does it."""

from parity.runners.pipe.messages import ProtocolMistake
from parity.runners.pipe.program import Lost
from parity.runners.pipe.runner import PipeRunner
from parity.runners.pipe.starting import PipeError

__all__ = ["Lost", "PipeError", "PipeRunner", "ProtocolMistake"]
