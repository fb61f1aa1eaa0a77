"""A question as the program reads it: the text of a file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

#: The path of a file, its content as a dict, or the name of a game before an action.
Asked = Union[str, "os.PathLike[str]", Mapping[str, Any]]


@dataclass(frozen=True)
class Question:
    """The text of a question, with the name of its file and the folder of its rulebooks."""

    name: str
    text: str
    folder: str

    @property
    def body(self) -> dict[str, Any]:
        """The body of a request."""
        return {"name": self.name, "text": self.text}


def question(asked: Asked, action: str | None = None, fields: Mapping[str, Any] | None = None) -> Question:
    """The question of a file, of a dict, or of a game's name or rulebook with an action and its fields."""
    if isinstance(asked, Mapping):
        if action is not None or fields:
            raise TypeError("a dict has action and fields in it: leave out the other arguments")
        return Question("the question", toml(whole(asked)), os.getcwd())
    path = os.fspath(asked)
    if action is None:
        if fields:
            raise TypeError("fields follow a game and an action: odds('asl', 'fire', fp=8)")
        return of_file(path)
    file = contest_file(path, action, fields or {})
    if "rules" not in file:
        return Question("the question", toml(file), os.getcwd())
    file["rules"] = os.path.basename(path)
    return Question("the question", toml(file), os.path.dirname(os.path.abspath(path)))


def contest_file(game: str, action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A file with one contest of a game: its name, or its rulebook."""
    if game.endswith(".rules"):
        return {"rules": game, "contest": {"system": Path(game).stem, "action": action, **fields}}
    return {"contest": {"system": game, "action": action, **fields}}


def of_file(path: str) -> Question:
    """The question in a file."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"there is no file {path}; name an action of a game: odds({path!r}, 'ACTION', …)")
    place = os.path.abspath(path)
    return Question(os.path.basename(place), Path(place).read_text(encoding="utf-8"), os.path.dirname(place))


def whole(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A dict as a whole file: one that is a contest alone becomes the only one."""
    if "contest" in asked or "weapon" in asked or "system" not in asked:
        return dict(asked)
    rules = {"rules": asked["rules"]} if isinstance(asked.get("rules"), (str, list, tuple)) else {}
    return {**rules, "contest": {key: value for key, value in asked.items() if key not in rules}}


def toml(table: Mapping[str, Any]) -> str:
    """A file of this table: its tables and lists of tables follow the other values, each with a heading."""
    plain = {key: value for key, value in table.items() if not _tables(value)}
    lines = [f"{_key(key)} = {_value(value)}\n" for key, value in plain.items() if value is not None]
    for key, value in table.items():
        heading = f"[{_key(key)}]" if isinstance(value, Mapping) else f"[[{_key(key)}]]"
        for part in _tables(value):
            inner = (f"{_key(name)} = {_value(item)}\n" for name, item in part.items() if item is not None)
            lines.append(f"\n{heading}\n" + "".join(inner))
    return "".join(lines)


def _tables(value: Any) -> list[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        return [value]
    if isinstance(value, Sequence) and value and all(isinstance(item, Mapping) for item in value):
        return list(value)
    return []


def _key(key: object) -> str:
    text = str(key)
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else _text(text)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    # Numbers of other libraries know how to be Python's.
    if hasattr(value, "item") and not isinstance(value, Mapping):
        value = value.item() if getattr(value, "ndim", 0) == 0 else value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return _text(os.fspath(value))
    if isinstance(value, Mapping):
        inner = (f"{_key(key)} = {_value(item)}" for key, item in value.items() if item is not None)
        return "{ " + ", ".join(inner) + " }"
    if isinstance(value, (Sequence, range, set, frozenset)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"{type(value).__name__} is no value of a question: {value!r}")
