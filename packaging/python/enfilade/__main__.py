"""``python -m enfilade`` is the program."""

import os
import subprocess
import sys

from ._find import ProgramMissing, program


def main() -> int:
    """Runs the program with the arguments of this process."""
    try:
        path = program()
    except ProgramMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    arguments = [path, *sys.argv[1:]]
    if sys.platform != "win32":
        # In its place: signals and exit codes are its own.
        os.execv(path, arguments)
    try:
        return subprocess.call(arguments)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
