"""``python -m autograph``: the command line."""

import sys

from autograph.commands.show import main

if __name__ == "__main__":
    sys.exit(main())
