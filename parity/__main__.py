"""Entry point of `parity` and of `python -m parity`. It handles Ctrl-C before it imports the subcommands."""

import sys

try:
    from parity.driver.interrupts import INTERRUPTED, Ending
except KeyboardInterrupt:
    raise SystemExit(130) from None

UNJUDGED = 3
"""The value of `parity.command.exit_code.ExitCode.UNJUDGED`, which must not be imported before Ctrl-C is handled."""


def main() -> int:
    """Run the subcommand that the command line names.

    Returns:
        The exit code. If the kit itself fails, it is 3 instead of Python's 1, because subcommands use 1 for a result.
    """
    try:
        with Ending():
            from parity.command import main as run
        return run()
    except KeyboardInterrupt:
        return INTERRUPTED
    except ImportError as error:
        print(f"parity: {error}; install harbor-parity again, with what it depends on", file=sys.stderr)
        return UNJUDGED
    except Exception:
        sys.excepthook(*sys.exc_info())
        return UNJUDGED
    finally:
        Ending().__enter__()  # because Ctrl-C may still come while Python shuts down


if __name__ == "__main__":
    sys.exit(main())
