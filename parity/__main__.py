"""The command line `parity`, or `python -m parity`, which is imported after Ctrl-C is handled."""

import sys

try:
    from parity.driver.interrupts import INTERRUPTED, Ending
except KeyboardInterrupt:
    raise SystemExit(130) from None

UNJUDGED = 3
"""`parity.command.exit_code.ExitCode.UNJUDGED`, which cannot be imported before Ctrl-C is cared for."""


def main() -> int:
    """Run the subcommand that the arguments name.

    Returns:
        The exit code. It is that of a fault where the kit itself fails, so that 1 keeps its meaning.
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
        Ending().__enter__()  # while Python itself ends


if __name__ == "__main__":
    sys.exit(main())
