"""Time limits, Ctrl-C, seeds, threads and statistics: a search ends when told to, and says what it knows."""

import json
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import DEVNULL
from time import monotonic, sleep

import pytest

from .command import SECONDS, Done, objects, process, pyasp, start
from .helpers import ENDLESS_GROUNDING, ENDLESS_SEARCH, FOUR, write

QUICK = 'puzzle = "strata"\ntiles = "."\n'
MANY = 'puzzle = "strata"\ntiles = """\n' + ".......\n" * 7 + '"""\n'
# Seconds beyond what is promised, for a busy machine.
SLACK = 1.0


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a directory with boards, and with rules that take for ever to solve or to ground."""
    texts = {"quick.toml": QUICK, "many.toml": MANY, "fifty.toml": FOUR}
    return write(tmp_path, texts | {"pigeons.lp": ENDLESS_SEARCH, "ground.lp": ENDLESS_GROUNDING})


def timed(place: Path, *arguments: str) -> tuple[float, Done]:
    """Run the command; return how long it took, in seconds, and what it wrote."""
    started = monotonic()
    done = pyasp(*arguments, where=place)
    return monotonic() - started, done


@pytest.fixture(scope="module")
def start_up(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Return how long the command takes for next to nothing, in seconds."""
    place = write(tmp_path_factory.mktemp("quick"), {"quick.toml": QUICK})
    return max(timed(place, "solve", "quick.toml")[0] for _ in range(3))


@pytest.mark.alone
@pytest.mark.parametrize(
    "command",
    ["solve pigeons.lp", "solve ground.lp", "solve --decided pigeons.lp", "count ground.lp", "check pigeons.lp"],
)
def test_a_timeout_ends_solving_and_grounding(place: Path, start_up: float, command: str) -> None:
    """When time is up, while solving or while grounding, the command ends, and says that it does not know."""
    *words, extra = command.split()
    took, done = timed(place, *words, "quick.toml", "--timeout", "0.5", "--extra", extra)
    assert done.returncode == 3
    assert 0.5 <= took < start_up + 0.5 + SLACK
    assert any(words in done.stdout for words in ("there may be", "at least 0", "Out of time"))


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["ground.lp", "pigeons.lp"])
@pytest.mark.parametrize("command", ["solve", "count", "check"])
def test_a_timeout_leaves_whole_lines_of_json(place: Path, command: str, extra: str) -> None:
    """When time is up, the board that was begun still has its whole line of JSON, which claims nothing."""
    done = pyasp(command, "quick.toml", "--json", "--timeout", "0.2", "--extra", extra, where=place)
    (board,) = objects(done.stdout)
    assert done.returncode == 3
    assert board.get("status", "unknown") == "unknown"
    assert board.get("complete", False) is False
    assert board.get("exact", False) is False
    assert not board.get("solutions")


@pytest.mark.alone
def test_a_timeout_keeps_the_answers_found(place: Path, start_up: float) -> None:
    """What was found in time is printed, and the last line says that there may be more; a count likewise."""
    took, done = timed(place, "solve", "--all", "many.toml", "--timeout", "0.5")
    assert (done.returncode, took < start_up + 0.5 + SLACK) == (3, True)
    assert "Answer 10\n" in done.stdout
    assert "answers; there may be more" in done.stdout.splitlines()[-1]
    done = pyasp("solve", "--all", "--json", "many.toml", "--timeout", "0.3", where=place)
    boards = objects(done.stdout)
    assert done.returncode == 3
    assert {(board["status"], board["complete"], len(board["solutions"])) for board in boards} == {
        ("satisfiable", False, 1)
    }
    assert len({json.dumps(board["solutions"]) for board in boards}) == len(boards) > 10
    done = pyasp("count", "many.toml", "--timeout", "0.3", where=place)
    assert (done.returncode, done.stdout[:9]) == (3, "at least ")
    assert int(done.stdout[9:]) > 10


@pytest.mark.alone
def test_timeout_holds_for_each_board(place: Path) -> None:
    """Time is up for a board, not for all of them: the boards after one that is too hard are answered."""
    done = pyasp("solve", "--all", "many.toml", "quick.toml", "--timeout", "0.3", "--json", where=place)
    boards = objects(done.stdout)
    assert {board["source"] for board in boards if board["complete"]} == {"quick.toml"}
    assert boards[0]["source"] == "many.toml"
    assert done.returncode == 3


@pytest.mark.alone
def test_no_time_is_lost(place: Path) -> None:
    """A limit that is not reached changes nothing: neither the time that a board takes, nor its answers."""
    expected = pyasp("solve", "--all", "fifty.toml", where=place)
    took, done = timed(place, "solve", "--all", "fifty.toml", "--timeout", "30")
    assert (done.returncode, done.stdout, done.stderr) == (0, expected.stdout, "")
    assert took < 5


def interrupted(place: Path, arguments: Sequence[str], after: float) -> tuple[float, int, str, str]:
    """Send Ctrl-C after some seconds; return how long it takes to end, the exit code, and what was written."""
    with start(*arguments, where=place, encoding="utf-8", bufsize=-1) as process:
        sleep(after)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        sent = monotonic()
        out, errors = process.communicate(timeout=SECONDS)
        return monotonic() - sent, process.returncode, out, errors


@pytest.mark.alone
@pytest.mark.parametrize(
    "command",
    [
        *("solve ground.lp", "solve --json pigeons.lp", "solve --json ground.lp"),
        *("count ground.lp", "check --json pigeons.lp"),
    ],
)
def test_an_interrupt_ends_solving_and_grounding(place: Path, start_up: float, command: str) -> None:
    """Ctrl-C ends a search or a grounding at once, with exit code 130; what is printed is whole."""
    *words, extra = command.split()
    arguments = [*words, "quick.toml", "--extra", extra]
    took, code, out, errors = interrupted(place, arguments, start_up + 0.3)
    assert code == 130
    assert took < 0.1 + SLACK
    assert "Traceback" not in errors
    assert all(board.get("complete", False) is False for board in (objects(out) if "--json" in command else []))


@pytest.mark.alone
def test_an_interrupt_keeps_the_answers_found(place: Path, start_up: float) -> None:
    """After Ctrl-C, a line of JSON is closed, and a count says that there are at least so many."""

    def counted(*arguments: str) -> tuple[float, int, str]:
        for seconds in (0.2, 2, 20):  # on a busy machine, it takes longer until there is an answer
            took, code, out, _ = interrupted(place, ["count", *arguments], start_up + seconds)
            if out:
                break
        return took, code, out

    took, code, out = counted("many.toml")
    assert (code, out[:9], took < 0.1 + SLACK) == (130, "at least ", True)
    took, code, out = counted("many.toml", "quick.toml", "--json")
    (board,) = objects(out)
    assert (code, board["exact"], took < 0.1 + SLACK) == (130, False, True)


@pytest.mark.slow
def test_a_seed_gives_the_same_first_answer(place: Path) -> None:
    """A seed gives the same first answer each time; other seeds give others."""

    def first(*options: str) -> str:
        return pyasp("solve", "many.toml", "--json", *options, where=place).stdout

    answers = [first("--seed", str(seed)) for seed in (1, 2, 3)]
    assert first("--seed", "2") == answers[1]
    assert first() == first()
    assert len(set(answers)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("form", [["--seed", "7"], ["--threads", "2"]])
def test_same_answers_in_any_order(place: Path, form: list[str]) -> None:
    """With any seed and any number of threads, there are the same answers, each of them once."""
    expected = objects(pyasp("solve", "--all", "--json", "fifty.toml", where=place).stdout)
    boards = objects(pyasp("solve", "--all", "--json", "fifty.toml", *form, where=place).stdout)
    assert [board["complete"] for board in boards] == [False] * 71 + [True]
    assert sorted(str(board["solutions"]) for board in boards) == sorted(str(one["solutions"]) for one in expected)
    assert pyasp("count", "fifty.toml", *form, where=place).stdout == "72\n"


@pytest.mark.slow
def test_stats_are_written_to_stderr(place: Path) -> None:
    """`--stats` tells times and sizes on stderr, and leaves what is on stdout as it is."""
    for command in (["solve", "--all"], ["count", "--json"]):
        plain = pyasp(*command, "fifty.toml", where=place)
        told = pyasp(*command, "fifty.toml", "--stats", where=place)
        assert (told.returncode, told.stdout) == (0, plain.stdout)
        assert plain.stderr == ""
        assert all(word in told.stderr for word in ("ground", "solve", "atoms", "rules", "choices", "conflicts"))


@pytest.mark.slow
def test_memory_stays_flat(place: Path) -> None:
    """However many answers come, they are not kept: two seconds' worth of them take less than 300 MB."""
    child = start("solve", "--all", "--json", "many.toml", "--timeout", "2", where=place, stdout=DEVNULL, stderr=None)
    used = 0  # of the command itself: what wait4 tells has the peak of the tests in it, from before the command began
    while child.poll() is None:
        status = Path(f"/proc/{child.pid}/status").read_text(encoding="utf-8")
        peak = re.search(r"VmHWM:\s+(\d+) kB", status)
        used = max(used, int(peak[1])) if peak and child.poll() is None else used
        sleep(0.05)
    assert child.returncode == 3
    assert 10 * 1024 < used < 300 * 1024


@pytest.mark.slow
def test_interrupts_are_heard_among_many_quick_questions(tmp_path: Path) -> None:
    """Ctrl-C during many quick questions is neither lost nor an error of clingo, whenever it comes."""
    script = """if True:
        import random, signal, sys
        from pyasp_puzzles import check, generate

        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        sys.unraisablehook = lambda _: signal.setitimer(signal.ITIMER_REAL, 0.001)  # Python drops it in `__del__`
        for seed in range(40):
            boards, made = generate("sudoku", 1000, size=4, seed=seed), []
            try:
                signal.setitimer(signal.ITIMER_REAL, random.uniform(0.05, 0.1))
                made += boards
            except KeyboardInterrupt:
                continue
            raise SystemExit("an interrupt was lost")
        print(check(next(generate("sudoku", size=4))).status)
    """
    done = process([sys.executable, "-c", script], tmp_path)
    assert (done.returncode, done.stdout) == (0, "unique\n"), done.stderr
