"""The command line: answers the cheap questions at once and opens a door for everything else."""

import sys

from tui.version import VERSION


def main() -> int:
    if sys.argv[1:] == ["--version"]:
        print(f"wakeful {VERSION}")
        return 0
    return 2
