"""What `--ship` runs, where others were first to put something under the names it uses."""

import hashlib, importlib.util, importlib.machinery, os, pathlib, stat, sys, tempfile

loader = importlib.machinery.SourceFileLoader("sweep", sys.argv[1])
sweep = importlib.util.module_from_spec(importlib.util.spec_from_loader("sweep", loader))
loader.exec_module(sweep)
program = pathlib.Path(sys.argv[2]).read_bytes()
plan = pathlib.Path("plan.json").read_bytes()
digest = hashlib.sha256(program).hexdigest()[:16]
evil = "#!/bin/sh\ntouch PWN\necho part of somebody else\n"
common = f"enfilade-{os.getuid()}"


def planted(path, text=evil, mode=0o777):
    path.write_text(text)
    path.chmod(mode)


def nothing(folder):
    pass


def old_name(folder):
    planted(folder / f"enfilade-{digest}")


def open_to_all(folder):
    (folder / common).mkdir()
    (folder / common).chmod(0o777)
    planted(folder / common / f"program-{digest}")


def link(folder):
    (folder / "elsewhere").mkdir(mode=0o700)
    planted(folder / "elsewhere" / f"program-{digest}", mode=0o700)
    (folder / common).symlink_to(folder / "elsewhere")


def other_bytes(folder):
    (folder / common).mkdir(mode=0o700)
    planted(folder / common / f"program-{digest}", mode=0o700)


def link_to_other(folder):
    (folder / common).mkdir(mode=0o700)
    planted(folder / "evil")
    (folder / common / f"program-{digest}").symlink_to(folder / "evil")


for plant in [nothing, old_name, open_to_all, link, other_bytes, link_to_other]:
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        plant(pathlib.Path(folder))
        parts = [sweep.shard(number, plan, "no program of this name", program) for number in (1, 1, 2)]
        assert parts[0] == parts[1] != parts[2], plant
        assert all(part[:4] == b"PAR1" for part in parts), plant
        own = pathlib.Path(folder, common)
        if plant in (nothing, old_name):
            assert stat.S_IMODE(own.stat().st_mode) == 0o700 and len(list(own.iterdir())) == 1, plant
    tempfile.tempdir = None
assert not os.path.exists("PWN")
print("as it was sent")
