"""The kept process: one for many questions, stopped when it is to stop, never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import enfilade as en
import pytest
from conftest import ROOT, python
from enfilade import _process

#: A question that takes minutes.
LONG = """
import os, signal, threading, time
import enfilade as en
from enfilade import _process
# Who starts these tests in the background of a shell has Ctrl-C ignored, and so would this process.
signal.signal(signal.SIGINT, signal.default_int_handler)
long = dict(fp=range(1, 49), drm=range(-20, 21), target={"kind": "squad", "morale": list(range(1, 11))})
def interrupt(after):
    threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
def interrupted(ask):
    interrupt(0.5)
    begun = time.monotonic()
    try:
        ask()
    except KeyboardInterrupt:
        return time.monotonic() - begun
    raise SystemExit("it was not interrupted")
"""


def is_alive(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for_end(number: int, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while is_alive(number):
        assert time.monotonic() < end, "it goes on"
        time.sleep(0.02)


def child() -> int:
    return _process.of(os.getcwd())._child.pid


def test_many_questions_are_answered_by_one_process(desk: Path) -> None:
    en.dice("d6")
    first = child()
    assert [en.dice(f"d6+{plus}").mean for plus in range(50)] == [3.5 + plus for plus in range(50)]
    assert child() == first


def test_a_small_question_takes_about_a_millisecond(desk: Path) -> None:
    def took() -> float:
        begun = time.perf_counter()
        en.dice("2d6")
        return time.perf_counter() - begun

    # With Python's own share; the best of many, as others work on this machine.
    assert min(took() for _ in range(400)) < 0.0015


def test_threads_ask_beside_each_other(desk: Path) -> None:
    means: dict[int, float] = {}

    def ask(number: int) -> None:
        for plus in range(20):
            means[100 * number + plus] = en.dice(f"d6+{100 * number + plus}").mean

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert means == {100 * number + plus: 3.5 + 100 * number + plus for number in range(8) for plus in range(20)}


def test_one_that_was_killed_is_started_again(desk: Path) -> None:
    en.dice("d6")
    kept = _process.of(os.getcwd())._child
    kept.kill()
    kept.wait()
    assert en.dice("d6").mean == 3.5 and child() != kept.pid


def test_no_more_than_a_few_are_kept(tmp_path: Path) -> None:
    started = []
    for name in "abcdef":
        (tmp_path / name).mkdir()
        started.append(_process.of(str(tmp_path / name))._child.pid)
    assert len(_process._kept) == _process.MOST
    assert [is_alive(number) for number in started] == [False, False, True, True, True, True]


def test_ctrl_c_stops_a_question_and_not_the_process(desk: Path) -> None:
    code = LONG + """
en.dice("d6")
before = _process.of(os.getcwd())._child.pid
took = interrupted(lambda: en.odds("asl", "fire", **long).sheet("card.pdf"))
assert took < 10, took
begun = time.monotonic()
assert en.dice("d6").mean == 3.5
# Nothing of it is left to be worked on.
assert time.monotonic() - begun < 5
assert _process.of(os.getcwd())._child.pid == before
"""
    done = python(code)
    assert done.returncode == 0, done.stderr + done.stdout


def test_ctrl_c_stops_a_simulation(desk: Path) -> None:
    code = LONG + """
took = interrupted(lambda: en.odds("asl", "fire", trials=10**12, fp=8, target={"kind": "squad", "morale": 7}))
assert took < 10, took
# The next one has its turn.
o = en.odds("asl", "fire", trials=1000, fp=8, target={"kind": "squad", "morale": 7})
assert o.cells["trials"] == [1000]
"""
    done = python(code)
    assert done.returncode == 0, done.stderr + done.stdout


def test_ctrl_c_stops_a_command(desk: Path) -> None:
    code = LONG + """
took = interrupted(lambda: en.run("fire.toml", "out", trials=10**12))
assert took < 10, took
# What is finished is kept, and the next one begins anew.
assert en.run("fire.toml", "other", trials=1000).cells["trials"] == [1000] * 9
"""
    done = python(code)
    assert done.returncode == 0, done.stderr + done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is copied here")
def test_a_copy_of_the_process_asks_for_itself(desk: Path) -> None:
    code = """
import os, sys
import enfilade as en
from enfilade import _process
en.dice("d6")
own = _process.of(os.getcwd())._child.pid
copy = os.fork()
if copy == 0:
    good = en.dice("d8").mean == 4.5 and _process.of(os.getcwd())._child.pid != own
    _process.close()
    os._exit(0 if good else 1)
assert os.waitpid(copy, 0)[1] == 0
assert en.dice("d4").mean == 2.5 and _process.of(os.getcwd())._child.pid == own
"""
    done = python(code)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("end", ["", "os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_the_program_ends_with_the_one_who_asked(end: str, desk: Path) -> None:
    code = f"""
import os
import enfilade as en
from enfilade import _process
en.dice("d6")
print(_process.of(os.getcwd())._child.pid, flush=True)
{end}
"""
    wait_for_end(int(python(code).stdout))


def test_progress_is_shown_by_tqdm_if_it_is_there(desk: Path, tmp_path: Path) -> None:
    stand_in = tmp_path / "stand_in/tqdm"
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").write_text("")
    (stand_in / "auto.py").write_text(
        "class tqdm:\n    def __init__(self, **said): self.n = 0.0\n    def __enter__(self): return self\n"
        "    def __exit__(self, *_): print('at', round(self.n, 6))\n"
        "    def update(self, more): self.n += more; assert more >= 0\n"
    )
    code = """
import enfilade as en
en.odds("asl", "fire", trials=3_000_000, fp=8, target={"kind": "squad", "morale": 7})
"""
    done = python(code, before=str(stand_in.parent))
    assert (done.returncode, done.stdout.strip()) == (0, "at 1.0"), done.stderr


def test_no_window_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x08000000, raising=False)
    assert _process.quiet() == 0x08000000
    monkeypatch.delattr(subprocess, "CREATE_NO_WINDOW")
    assert _process.quiet() == 0


def test_every_public_name_is_documented() -> None:
    for name in en.__all__:
        if name != "__version__":
            assert getattr(en, name).__doc__, name
    page = (ROOT / "docs/python.md").read_text()
    for name in ("odds", "run", "dice", "explain", "balance", "compare", "seek", "rules.check"):
        assert f"en.{name}(" in page
    assert sys.version_info >= (3, 10)
