"""`python -m tests.readme [FILE…]` renews the output of the commands in all documents, or in the named ones."""

import sys
from pathlib import Path

from tests.readme.console import documents, renew

for document in map(Path.resolve, map(Path, sys.argv[1:])) if sys.argv[1:] else documents():
    renew(document)
