"""`python -m parity`: the same as `parity`."""

import sys

from parity.command import main

sys.exit(main())
