"""`python -m parity` is `parity`."""

from parity.command import main

raise SystemExit(main())
