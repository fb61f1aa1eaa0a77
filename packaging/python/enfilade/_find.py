"""The program that came with this package.

A wheel puts it into the folder of scripts, which depends on how the wheel was installed. The folder beside this very
package comes first: the program of another Python may have another version.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator

#: The variable that names another program to use.
VARIABLE = "ENFILADE_PROGRAM"


class ProgramMissing(FileNotFoundError):
    """The program is missing where installations put it, or has another version."""


def program() -> str:
    """The path of the program.

    Raises :class:`ProgramMissing` with the places that were searched.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if os.path.isfile(named):
            return named
        raise ProgramMissing(f"{VARIABLE} names {named}, and there is no such file")
    if sys.platform == "emscripten":
        raise ProgramMissing("a page in the browser cannot start a program: use enfilade in a Python outside the browser")
    name = "enfilade" + (sysconfig.get_config_var("EXE") or "")
    looked = [os.path.join(folder, name) for folder in dict.fromkeys(_folders())]
    for path in looked:
        if os.path.isfile(path):
            return path
    places = "\n  ".join(looked)
    raise ProgramMissing(
        f"the program enfilade is not beside its package; these places were searched:\n  {places}\n"
        f"Install the wheel again (pip install --force-reinstall enfilade), or name a program in {VARIABLE}"
    )


def _folders() -> Iterator[str]:
    """The folders that scripts are installed to, the most likely first."""
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    package = os.path.dirname(os.path.abspath(__file__))
    site = os.path.dirname(package)
    # A virtual environment, a prefix, the system's own, a folder of a user: lib/python3.12/site-packages.
    above = os.path.dirname(os.path.dirname(site))
    # Elsewhere the library is one folder: Lib/site-packages.
    yield os.path.join(os.path.dirname(above) if os.path.basename(above).lower().startswith("lib") else above, scripts)
    # pip install --target FOLDER
    yield os.path.join(site, scripts)
    # This Python's, and the one that this virtual environment was made from.
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", vars={"base": sys.base_prefix})
    # pip install --user
    yield sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user"))
