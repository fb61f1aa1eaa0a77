"""Columns handed to other libraries by the Arrow C stream interface, with nothing but ctypes.

The interface is three small structs with pointers to memory and to functions that release it
(https://arrow.apache.org/docs/format/CDataInterface.html). Memory is held by Python until whoever took a struct
releases it. Four kinds of columns are known: truths, whole numbers, numbers and texts, each with a bitmap of what is
there.
"""

from __future__ import annotations

import ctypes
import itertools
import sys
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from ._table import Value

_P, _I64 = ctypes.c_void_p, ctypes.c_int64

NULLABLE = 2

#: Names of capsules, which live as long as any.
_SCHEMA, _STREAM = b"arrow_schema", b"arrow_array_stream"


class Schema(ctypes.Structure):
    """A type: ``struct ArrowSchema``."""

    _fields_ = [
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_char_p),
        ("flags", _I64),
        ("n_children", _I64),
        ("children", _P),
        ("dictionary", _P),
        ("release", _P),
        ("private_data", _P),
    ]


class Array(ctypes.Structure):
    """Values: ``struct ArrowArray``."""

    _fields_ = [
        ("length", _I64),
        ("null_count", _I64),
        ("offset", _I64),
        ("n_buffers", _I64),
        ("n_children", _I64),
        ("buffers", _P),
        ("children", _P),
        ("dictionary", _P),
        ("release", _P),
        ("private_data", _P),
    ]


class Stream(ctypes.Structure):
    """Pieces of values: ``struct ArrowArrayStream``."""

    _fields_ = [("get_schema", _P), ("get_next", _P), ("get_last_error", _P), ("release", _P), ("private_data", _P)]


_RELEASE = ctypes.CFUNCTYPE(None, _P)
_GET = ctypes.CFUNCTYPE(ctypes.c_int, _P, _P)
_LAST_ERROR = ctypes.CFUNCTYPE(_P, _P)

#: What a struct that was handed out points to, by the number in its private data.
_held: dict[int, Any] = {}
_numbers = itertools.count(1)


def _hold(*things: Any) -> int:
    number = next(_numbers)
    _held[number] = things
    return number


def _call(function: int, address: int, kind: Any = _RELEASE) -> None:
    kind(function)(address)


def _releaser(kind: type[ctypes.Structure]) -> Any:
    """The function that releases a struct: first its children, then what it points to."""

    # Bound here, as a library may release at the very end, when names of a module are gone.
    def release(
        address: int,
        kind: Any = kind,
        held: Any = _held,
        size: int = ctypes.sizeof(ctypes.c_void_p),
        pointer: Any = ctypes.c_void_p,
        address_of: Any = ctypes.addressof,
        call: Any = _call,
    ) -> None:
        struct = kind.from_address(address)
        for at in range(getattr(struct, "n_children", 0)):
            child = kind.from_address(pointer.from_address(struct.children + at * size).value)
            if child.release:
                call(child.release, address_of(child))
        struct.release = None
        held.pop(struct.private_data, None)

    return _RELEASE(release)


_release_schema = _releaser(Schema)
_release_array = _releaser(Array)
_release_stream = _releaser(Stream)


def _address(function: Any) -> int:
    return ctypes.cast(function, _P).value or 0


def _pointers(things: Sequence[Any]) -> Any:
    """An array of pointers to these structs and buffers."""
    return (_P * max(len(things), 1))(*[ctypes.addressof(thing) if thing is not None else None for thing in things])


def _bits(truths: Sequence[bool]) -> Any:
    """Truths, eight to a byte."""
    bits = bytearray(-(-len(truths) // 8) or 1)
    for at, truth in enumerate(truths):
        bits[at // 8] |= truth << at % 8
    return (ctypes.c_char * len(bits)).from_buffer(bits)


def _numbers_of(code: str, values: Sequence[Any]) -> Any:
    packed = array(code, values or [0])
    return (ctypes.c_char * (len(packed) * packed.itemsize)).from_buffer(packed)


def _column(values: Sequence[Value]) -> tuple[str, list[Any]]:
    """The format of a column and the buffers with its values."""
    given = [value for value in values if value is not None]
    there = _bits([value is not None for value in values]) if len(given) < len(values) else None
    if given and all(isinstance(value, bool) for value in given):
        return "b", [there, _bits([bool(value) for value in values])]
    if given and all(isinstance(value, int) and not isinstance(value, bool) for value in given):
        if all(-(2**63) <= value < 2**63 for value in given):  # type: ignore[operator]
            return "l", [there, _numbers_of("q", [value or 0 for value in values])]
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in given):
        # A column with nothing in it is one of numbers that are not known.
        return "g", [there, _numbers_of("d", [float(value or 0) for value in values])]
    texts = [b"" if value is None else _text(value).encode() for value in values]
    ends = [0, *itertools.accumulate(map(len, texts))]
    joined = bytearray(b"".join(texts) or b"\0")
    return "U", [there, _numbers_of("q", ends), (ctypes.c_char * len(joined)).from_buffer(joined)]


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _clear(struct: ctypes.Structure) -> None:
    """Whoever takes a struct gives the place for it, with whatever lay there."""
    ctypes.memset(ctypes.addressof(struct), 0, ctypes.sizeof(struct))


def _fill_schema(struct: Schema, code: str, name: str, children: Sequence[Schema]) -> None:
    _clear(struct)
    pointers = _pointers(children)
    texts = (code.encode(), name.encode())
    struct.format, struct.name = texts
    struct.flags = NULLABLE
    struct.n_children, struct.children = len(children), ctypes.addressof(pointers)
    struct.release = _address(_release_schema)
    struct.private_data = _hold(texts, children, pointers)


def _fill_array(struct: Array, length: int, buffers: Sequence[Any], children: Sequence[Array]) -> None:
    _clear(struct)
    pointers, inner = _pointers(buffers), _pointers(children)
    struct.length, struct.null_count = length, 0 if buffers[0] is None else -1
    struct.n_buffers, struct.buffers = len(buffers), ctypes.addressof(pointers)
    struct.n_children, struct.children = len(children), ctypes.addressof(inner)
    struct.release = _address(_release_array)
    struct.private_data = _hold(buffers, children, pointers, inner)


def _schema_into(struct: Schema, columns: Mapping[str, Sequence[Value]]) -> None:
    children = []
    for name, values in columns.items():
        child = Schema()
        _fill_schema(child, _column(values)[0], name, [])
        children.append(child)
    _fill_schema(struct, "+s", "", children)


def _array_into(struct: Array, columns: Mapping[str, Sequence[Value]]) -> None:
    length = len(next(iter(columns.values()), []))
    children = []
    for values in columns.values():
        child = Array()
        _fill_array(child, length, _column(values)[1], [])
        children.append(child)
    _fill_array(struct, length, [None], children)


def _stream_into(struct: Stream, columns: Mapping[str, Sequence[Value]]) -> None:
    """A stream of one piece."""
    left = [columns]

    def get_schema(_: int, out: int) -> int:
        _schema_into(Schema.from_address(out), columns)
        return 0

    def get_next(_: int, out: int) -> int:
        array = Array.from_address(out)
        if left:
            _array_into(array, left.pop())
        else:
            # The end is a struct that is released.
            array.release = None
        return 0

    functions = (_GET(get_schema), _GET(get_next), _LAST_ERROR(lambda _: None))
    struct.get_schema, struct.get_next, struct.get_last_error = map(_address, functions)
    struct.release = _address(_release_stream)
    struct.private_data = _hold(functions, columns)


_new = ctypes.pythonapi.PyCapsule_New
_new.argtypes, _new.restype = [_P, ctypes.c_char_p, _P], ctypes.py_object

#: Capsules that were handed out, each with its struct.
_capsules: list[tuple[object, Any]] = []


def _holders(entry: tuple[object, Any]) -> int:
    return sys.getrefcount(entry[0])


#: How many hold a capsule that nobody else holds.
_NOBODY = _holders((object(), None))


def sweep() -> None:
    """Releases what lies in capsules that nobody holds any more.

    A capsule could do that itself when it goes, but it often goes while an exception of its taker is on its way, and
    then nothing written in Python may run.
    """
    kept = []
    while _capsules:
        entry = _capsules.pop()
        if _holders(entry) > _NOBODY:
            kept.append(entry)
        elif entry[1].release:
            _call(entry[1].release, ctypes.addressof(entry[1]))
    _capsules.extend(kept)


def _capsule(name: bytes, struct: Any) -> object:
    sweep()
    capsule: object = _new(ctypes.addressof(struct), name, None)
    _capsules.append((capsule, struct))
    return capsule


def schema(columns: Mapping[str, Sequence[Value]]) -> object:
    """A capsule with the schema of these columns."""
    struct = Schema()
    _schema_into(struct, columns)
    return _capsule(_SCHEMA, struct)


def stream(columns: Mapping[str, Sequence[Value]]) -> object:
    """A capsule with a stream of these columns."""
    struct = Stream()
    _stream_into(struct, columns)
    return _capsule(_STREAM, struct)
