import sys

collect_ignore = [] if sys.version_info >= (3, 12) else ["traps/new_in_3_12.py"]
