"""The version of the package, which is that of its program."""

__version__ = "0.2.0"
