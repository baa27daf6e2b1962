"""harbor-parity: proves, bit for bit, whether a runner scores Harbor tasks as `harbor==0.13.1` does."""

__version__ = "0.1.0"
