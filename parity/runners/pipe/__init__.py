"""Runners in any language: programs that answer questions over a pipe. PROTOCOL.md describes the protocol."""

from parity.runners.pipe.messages import ProtocolMistake
from parity.runners.pipe.program import Lost, PipeError
from parity.runners.pipe.runner import PipeRunner

__all__ = ["Lost", "PipeError", "PipeRunner", "ProtocolMistake"]
