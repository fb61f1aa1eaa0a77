"""A process of the program, which reads questions and writes answers as lines.

Each folder of questions has its own process, because a question names its rulebooks from there. Threads may ask at the
same time; Ctrl-C cancels the question that it interrupts, and the process goes on.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from ._faults import Error, of_json
from ._find import ProgramMissing, program
from ._version import __version__

#: Milliseconds for an answer: an hour, because Ctrl-C ends it sooner.
BUDGET = 3_600_000

#: Processes at a time: one more ends the oldest.
MOST = 4

#: Seconds by which a wait may delay Ctrl-C, on systems whose waits cannot be interrupted.
BEAT = 0.1 if sys.platform == "win32" else None


def checked() -> str:
    """The path of the program, which has the version of this package."""
    path = program()
    if path not in _known:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, creationflags=quiet())
        version = said.stdout.split()[-1] if said.stdout.split() else "none"
        if version != __version__:
            raise ProgramMissing(f"{path} has version {version}, and this package {__version__}: install both anew")
        _known.add(path)
    return path


_known: set[str] = set()


def quiet() -> int:
    """Flags with which a program opens no window."""
    return getattr(subprocess, "CREATE_NO_WINDOW", 0)


class Process:
    """One process of the program."""

    def __init__(self, folder: str) -> None:
        command = [checked(), "serve", "--stdio", "--budget", str(BUDGET), folder]
        # Ctrl-C is for this process alone, which then cancels the question.
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=sys.platform != "win32",
            creationflags=quiet() | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._numbers = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[dict[str, Any]]] = {}
        self._writing = threading.Lock()
        #: One job is done at a time.
        self.jobs = threading.Lock()
        threading.Thread(target=self._listen, name="enfilade", daemon=True).start()

    def _listen(self) -> None:
        """Gives every line to the thread that waits for it, and an empty answer to all at the end."""
        stdout = self._child.stdout
        assert stdout is not None
        for line in stdout:
            said = json.loads(line)
            waiting = self._waiting.get(said["id"])
            if waiting is not None:
                waiting.put(said)
        for waiting in list(self._waiting.values()):
            waiting.put({"status": 0, "body": None})

    @property
    def is_over(self) -> bool:
        """Whether the process has ended."""
        return self._child.poll() is not None

    def _send(self, line: dict[str, Any]) -> None:
        stdin = self._child.stdin
        assert stdin is not None
        try:
            text = json.dumps(line).encode() + b"\n"
        except (UnicodeEncodeError, TypeError, ValueError) as why:
            raise Error(f"the question cannot be sent: {why}") from why
        with self._writing:
            try:
                stdin.write(text)
                stdin.flush()
            except (OSError, ValueError) as why:
                raise Error(f"the program has ended: {why}") from why

    def ask(
        self,
        door: str,
        body: Any = None,
        *,
        method: str | None = None,
        hear: Callable[[dict[str, Any]], None] | None = None,
    ) -> tuple[int, Any]:
        """The status and the body of an answer; ``hear`` gets the events before it."""
        number = next(self._numbers)
        line = {"id": number, "ask": door}
        line |= {} if body is None else {"body": body}
        line |= {} if method is None else {"method": method}
        said: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._waiting[number] = said
        try:
            self._send(line)
            while True:
                answer = self._next(said)
                if "event" not in answer:
                    break
                if hear is not None:
                    hear(answer["event"])
        except KeyboardInterrupt:
            self._send({"cancel": number})
            raise
        finally:
            del self._waiting[number]
        if answer["status"] == 0:
            raise Error("the program has ended before it answered")
        return answer["status"], answer["body"]

    def _next(self, said: queue.SimpleQueue[dict[str, Any]]) -> dict[str, Any]:
        while True:
            try:
                return said.get(timeout=BEAT)
            except queue.Empty:
                continue

    def close(self) -> None:
        """Ends the process, and kills it if questions are still in progress."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.close()
        except OSError:
            pass
        try:
            self._child.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    def forget(self) -> None:
        """Leaves the process to the parent after a fork."""
        for pipe in (self._child.stdin, self._child.stdout):
            # The raw file, because a thread of the parent may have locked the buffer.
            pipe.raw.close()  # type: ignore[union-attr]
        # A child of the parent alone: nothing here waits for it.
        self._child.returncode = 0


_kept: dict[str, Process] = {}
_keeping = threading.Lock()


def of(folder: str) -> Process:
    """The process for questions from this folder."""
    place = os.path.abspath(folder)
    with _keeping:
        process = _kept.pop(place, None)
        if process is None or process.is_over:
            process = Process(place)
        _kept[place] = process
        over = [_kept.pop(next(iter(_kept))) for _ in range(len(_kept) - MOST)]
    for old in over:
        old.close()
    return process


def close() -> None:
    """Ends all processes; the next question starts one again."""
    with _keeping:
        over = list(_kept.values())
        _kept.clear()
    for process in over:
        process.close()


def _forked() -> None:
    """A fork has no thread that reads: it begins without processes."""
    global _keeping
    _keeping = threading.Lock()
    for process in _kept.values():
        process.forget()
    _kept.clear()


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def answered(status: int, body: Any) -> Any:
    """The body of an answer; a refusal is raised."""
    faults = body.get("faults") if isinstance(body, dict) else None
    grave = [fault for fault in map(of_json, faults or ()) if fault.severity == "fault"]
    if grave or status != 200:
        raise Error(str(body.get("error", "that went wrong") if isinstance(body, dict) else "that went wrong"), grave)
    return body
