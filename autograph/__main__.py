"""``python -m autograph``: the command line."""

import sys

from autograph.commands import main

if __name__ == "__main__":
    sys.exit(main())
