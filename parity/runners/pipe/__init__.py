"""Runners in any language: programs that are asked over a pipe. PROTOCOL.md describes the protocol."""

from parity.runners.pipe.messages import ProtocolMistake
from parity.runners.pipe.program import Lost
from parity.runners.pipe.runner import PipeRunner
from parity.runners.pipe.starting import PipeError

__all__ = ["Lost", "PipeError", "PipeRunner", "ProtocolMistake"]
