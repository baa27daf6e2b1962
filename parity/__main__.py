"""`parity`, and `python -m parity`: the command line, which is imported only when Ctrl-C is cared for."""

import sys

try:
    from parity.driver.interrupts import INTERRUPTED, Ending
except KeyboardInterrupt:
    raise SystemExit(130) from None


def main() -> int:
    """Run the subcommand that the arguments name; the exit code."""
    try:
        with Ending():
            from parity.command import main as run
        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        Ending().__enter__()  # while Python itself ends


if __name__ == "__main__":
    sys.exit(main())
