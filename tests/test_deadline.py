"""A question has one deadline for all its parts; running out of time is reported as such."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from math import inf, nan
from pathlib import Path
from subprocess import PIPE
from time import monotonic, sleep
from typing import Any

import pytest
from clingo import Control

from pyasp_puzzles import (
    Instance,
    InstanceError,
    OutOfTime,
    PuzzleError,
    Settings,
    batch,
    check,
    count,
    decided,
    explain,
    generate,
    grade,
    hint,
    load,
    possible,
    resolve,
    review,
    solutions,
    solve,
)
from pyasp_puzzles.asp.deadline import Deadline, uninterrupted

from .command import objects, process, pyasp, start
from .helpers import ENDLESS_GROUNDING, ENDLESS_SEARCH, FOUR, again, extra, one, sudoku, write
from .strategies import times

# A Sudoku without an answer.
NONE = ["1 2 . .", ". . . .", ". . 1 .", ". . 2 ."]
SECONDS = 0.4
# Seconds beyond what is promised, for a busy machine.
SLACK = 1.0


Ask = Callable[[Instance, Settings], object]


@pytest.fixture
def endless(tmp_path: Path) -> Settings:
    """Return settings with rules that take for ever to solve; a grounding without end would go on in this process."""
    return extra(tmp_path, ENDLESS_SEARCH)._replace(timeout=SECONDS)


def test_a_deadline_counts_down_to_zero() -> None:
    """A deadline counts down to 0 and is late then; without a limit it never is."""
    deadline = Settings(timeout=0.05).deadline()
    assert 0 < deadline.left() <= 0.05
    assert not deadline.late()
    sleep(0.06)
    assert (deadline.left(), deadline.late()) == (0, True)
    with pytest.raises(OutOfTime):
        deadline.check()
    for seconds in (None, inf, 1e308):
        assert Settings(timeout=seconds).deadline().left() > 1e6
    assert 9 < again(Settings(timeout=10).deadline()).left() <= 10


def test_each_block_delays_ctrl_c() -> None:
    """Ctrl-C in a block comes when the block ends, also in a block that follows another; and one inside is no end."""
    for _ in range(2):
        done = []
        with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012 (when it is raised counts)
            with uninterrupted():
                signal.raise_signal(signal.SIGINT)
            done.append("after it")
        assert done == ["after it"]
    assert not uninterrupted.inside


@pytest.mark.parametrize("ask", [solve, decided, possible, lambda board, how: hint(board, None, how)])
@pytest.mark.alone
def test_out_of_time_is_raised(endless: Settings, ask: Ask) -> None:
    """Where time runs out before an answer is known, there is no answer, not even None."""
    started = monotonic()
    with pytest.raises(OutOfTime, match=r"^out of time$") as caught:
        ask(one(FOUR), endless)
    assert monotonic() - started < SECONDS + SLACK
    assert isinstance(caught.value, PuzzleError)
    assert isinstance(caught.value, TimeoutError)
    copy = again(caught.value)
    assert (type(copy), str(copy), copy.message) == (OutOfTime, "out of time", "out of time")


@pytest.mark.parametrize("ask", [solve, decided, possible])
def test_none_means_that_there_is_no_answer(ask: Callable[[Instance], object]) -> None:
    """The result is None for a board without an answer."""
    assert ask(sudoku(*NONE)) is None


def test_iterators_and_records_say_it_as_a_status(endless: Settings) -> None:
    """What comes one by one, and what is written down, says that it is not known."""
    how, board = endless._replace(timeout=0.15), one(FOUR)
    found = solutions(board, 1, how)
    assert (list(found), found.status, found.complete) == ([], "unknown", False)
    assert [step.status for step in explain(board, settings=how)][-1] == "unknown"
    assert [record["status"] for record in batch([board], 1, how)] == ["unknown"]
    assert (check(board, settings=how).status, grade(board, how).status) == ("unknown", "unknown")
    assert not count(board, settings=how).exact
    assert resolve(board, settings=how).status in {"unknown", "unsolved"}


@pytest.mark.parametrize(
    "ask",
    [
        lambda board, how: check(board, settings=how),
        lambda board, how: review(board, next(solutions(board, 1)), how),
        grade,
        lambda board, how: resolve(board, settings=how),
        lambda board, how: count(board, settings=how),
        lambda board, how: list(explain(board, settings=how)),
        lambda board, how: list(solutions(board, 0, how)),
    ],
)
@pytest.mark.alone
def test_all_parts_of_a_question_share_one_deadline(endless: Settings, ask: Ask) -> None:
    """All parts of a question together take no more than its time, on a board with an answer and on one without."""
    started = monotonic()
    ask(one(FOUR), endless)
    assert monotonic() - started < SECONDS + SLACK


def test_no_answer_in_time(tmp_path: Path) -> None:
    """To find out what is wrong with a board takes of the same time as to find out that something is."""
    for seconds in ("0", "0.01", "0.05"):
        options = ("--as", "sudoku", "--timeout", seconds, "--json")
        done = pyasp("check", "-", *options, where=tmp_path, stdin="\n".join(NONE))
        (found,) = objects(done.stdout)
        assert found["status"] in {"none", "unknown"}
        assert done.returncode in {1, 3}


def test_several_questions_share_a_deadline() -> None:
    """Settings with a running deadline serve several questions, and keep the time left in another process."""
    how = Settings(timeout=60)
    assert how.started().started().timeout is not how.timeout
    begun = how.started()
    assert begun.started() is begun
    assert begun.deadline() is begun.deadline()
    assert Settings().started() is not None
    assert 59 < again(begun).deadline().left() <= 60
    with pytest.raises(OutOfTime):
        solve("sudoku/large", Settings(timeout=Settings(timeout=0).deadline()))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "-"], "┌"),
        (["count", "-"], "72"),
        (["check", "four.toml", "--answer", "-"], "so far"),
    ],
)
@pytest.mark.alone
def test_waiting_for_standard_input_takes_no_time(arguments: list[str], words: str, tmp_path: Path) -> None:
    """The time of a board or an answer that comes through a pipe starts when it has been read."""
    write(tmp_path, {"four.toml": FOUR})
    command = start(*arguments, "--timeout", "1", where=tmp_path, stdin=PIPE)
    sleep(2.5)
    out, err = command.communicate(FOUR.encode() if "four.toml" not in arguments else b"1 . . .\n" + b". . . .\n" * 3)
    assert (command.returncode, err) == (0, b"")
    assert words in out.decode()


@pytest.mark.parametrize("command", ["solve", "count", "check", "hint", "grade", "draw", "solve --jobs 1"])
def test_reading_takes_of_the_time_of_a_board(command: str, tmp_path: Path) -> None:
    """A file, or a directory, that is not read in time is reported as such, and the others are still answered."""
    write(tmp_path, {"boards/one.toml": FOUR})
    done = pyasp(*command.split(), "boards", "--timeout", "0", where=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "pyasp: boards: out of time before it was read\n"


def test_a_directory_with_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No directory is looked through without end: one that has more files than a number is refused."""
    write(tmp_path, {f"{i}.txt": "" for i in range(6)} | {"one.toml": FOUR})
    monkeypatch.setattr("pyasp_puzzles.formats.load.MOST_SEEN", 7)
    assert len(load(tmp_path)) == 1
    monkeypatch.setattr("pyasp_puzzles.formats.load.MOST_SEEN", 6)
    with pytest.raises(InstanceError, match="this directory has more than 6 files; name one inside"):
        load(tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(os, "walk", lambda _: [(str(tmp_path), [], ["one.toml"] * 100_001)])
    with pytest.raises(InstanceError, match="this directory has more than 100000 files; name one inside"):
        load(tmp_path)


def test_a_file_of_boards_has_16_mb(tmp_path: Path) -> None:
    """A file of 16 MB is read, and a larger one is refused before it is."""
    (tmp_path / "one.toml").write_text(FOUR + "#" * (2**24 - len(FOUR) - 1) + "\n", encoding="utf-8")
    assert len(load(tmp_path / "one.toml")) == 1
    with (tmp_path / "one.toml").open("a", encoding="utf-8") as file:
        file.write("\n")
    with pytest.raises(InstanceError, match="the file is larger than 16 MB"):
        load(tmp_path / "one.toml")


def test_what_vanishes_while_a_directory_is_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory in which others come and go, such as /, is read as far as there is something to read."""
    write(tmp_path, {"gone/one.toml": FOUR, "there/one.toml": FOUR})
    scandir = os.scandir

    def scan(path: str) -> object:
        if Path(path).name == "gone":
            raise FileNotFoundError(path)
        return scandir(path)

    monkeypatch.setattr("os.scandir", scan)
    assert len(load(tmp_path)) == 1


@pytest.mark.alone
def test_commands_end_in_time_on_large_boards(tmp_path: Path) -> None:
    """A command ends soon after its time, however large the board, whether it reads, grounds or reasons by then."""
    rows = "\n".join(" ".join(str(r * 16 + c // 5) for c in range(77)) for r in range(77))
    texts = {"tectonic.toml": f'puzzle = "tectonic"\nblocks = """\n{rows}\n"""\n'}
    rows = "\n".join("".join("bw"[(r * r + 3 * c * c + r * c // 7) % 2] for c in range(300)) for r in range(300))
    write(tmp_path, texts | {"strips.toml": f'puzzle = "strips"\nlongest = 3\ntiles = """\n{rows}\n"""\n'})
    tectonic = [(command, "tectonic") for command in ("resolve", "explain", "check", "grade")]
    for command, board in [*tectonic, ("solve", "strips"), ("hint", "strips")]:
        started = monotonic()
        # The board of Tectonic has no answer, which a fast machine finds in time.
        codes = {1, 3} if board == "tectonic" else {3}
        assert pyasp(command, f"{board}.toml", "--timeout", "1", where=tmp_path).returncode in codes, command
        assert monotonic() - started < 1 + 3 * SLACK, command


def test_python_ends_as_it_should(tmp_path: Path) -> None:
    """After an explanation with an endless grounding, no thread is left that would crash Python at its end."""
    write(tmp_path, {"endless.lp": ENDLESS_GROUNDING})
    code = f"""if True:
        from pyasp_puzzles import Settings, explain, loads
        [board] = loads({FOUR!r})
        print([step.status for step in explain(board, settings=Settings(extra=["endless.lp"], timeout=0.3))])
    """
    done = process([sys.executable, "-c", code], tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "['unknown']\n", "")


def test_an_iterator_may_be_left_unread(tmp_path: Path) -> None:
    """Python ends as it should, though an iterator still waits to be asked for its next answer."""
    code = f"""if True:
        from pyasp_puzzles import loads, solutions
        [board] = loads({FOUR!r})
        found = solutions(board)
        print(len(next(found).values))
    """
    done = process([sys.executable, "-c", code], tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "16\n", "")


@pytest.mark.alone
def test_grounding_for_ever_is_left_alone(tmp_path: Path) -> None:
    """Rules that never end are given up when time is up, though clingo cannot be stopped there; Python ends well."""
    write(tmp_path, {"endless.lp": ENDLESS_GROUNDING})
    code = f"""if True:
        import sys, time
        from pyasp_puzzles import Settings, loads, solutions
        [board], started = loads({FOUR!r}), time.monotonic()
        found = solutions(board, 0, Settings(extra=["endless.lp"], timeout=0.5))
        print(list(found), found.status, found.complete, found.search.timed_out, found.search.warnings)
        print(time.monotonic() - started)
        sys.exit(7)
    """
    for _ in range(3):
        done = process([sys.executable, "-c", code], tmp_path)
        assert done.returncode == 7
        said, seconds = done.stdout.splitlines()
        assert said == "[] unknown False True []"
        assert 0.5 <= float(seconds) < 2


@pytest.mark.alone
@pytest.mark.parametrize("boards", ["list.txt", "three.toml"])
def test_a_grounding_without_end_costs_its_board_alone(boards: str, tmp_path: Path) -> None:
    """After a grounding that outlives its time, another process solves the boards that follow, of a list or a file."""
    toml = "".join(f'[[board]]\nblocks = """\n{name} {name}\n{name} {name}\n"""\n' for name in "ABC")
    endless = 'n(0) :- block(1, 1, "B").\nn(0) :- given(1, 1, 1).\nn(N + 1) :- n(N).\n'
    lists = "".join(f"{first}...............\n" for first in "213")
    write(tmp_path, {"three.toml": f'puzzle = "tectonic"\n{toml}', "list.txt": lists, "endless.lp": endless})
    options = ("--as", "sudoku", "--json", "--timeout", "1", "--extra", "endless.lp")
    done = pyasp("solve", boards, *options, where=tmp_path)
    assert done.returncode == 3
    assert [board["status"] for board in objects(done.stdout)] == ["satisfiable", "unknown", "satisfiable"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("timeout", value) for value in (-1, nan, -inf)),
        *(("seed", value) for value in (-1, 2**32)),
        *(("threads", value) for value in (0, 65)),
        *(("encoding", ""), ("extra", ""), ("puzzles", "")),
    ],
)
def test_settings_that_make_no_sense(name: str, value: object) -> None:
    """What makes no sense is refused at once, in one line that names it, when settings are made and when changed."""
    for make in (Settings, Settings(seed=3)._replace):
        with pytest.raises(PuzzleError, match=rf"^{name} is .*; pass [^\n]*$") as error:
            make(**{name: value})  # type: ignore[arg-type]
        assert isinstance(error.value, ValueError)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("timeout", value) for value in ("1", True, None.__class__)),
        *(("seed", value) for value in (1.5, "1")),
        *(("threads", value) for value in (None, "2")),
        *(("encoding", 3), ("extra", [3]), ("extra", None), ("extra", b"rules.lp"), ("puzzles", 3)),
    ],
)
def test_settings_of_wrong_types(name: str, value: object) -> None:
    """A wrong type is a `TypeError` that says what to pass."""
    for make in (Settings, Settings(seed=3)._replace):
        with pytest.raises(TypeError, match=rf"{name} is .*; pass [^\n]*$"):
            make(**{name: value})  # type: ignore[arg-type]


def test_settings_are_values() -> None:
    """Settings take text for paths, can be compared, be keys, be changed, and go to another process."""
    how = Settings("my.lp", ["a.lp", Path("b.lp")], 1, 2**32 - 1, 64, ("mine",))
    assert how == Settings(Path("my.lp"), (Path("a.lp"), Path("b.lp")), 1.0, 2**32 - 1, 64, [Path("mine")])
    assert again(how) == how
    assert hash(how) == hash(again(how))
    assert Settings(extra=[]) == Settings() == Settings(timeout=None)
    assert isinstance(how._replace(seed=1), Settings)
    assert Settings(extra="a.lp", puzzles=Path("mine")) == Settings(extra=["a.lp"], puzzles=["mine"])


class Looks(Deadline):
    """A deadline that has passed once it was looked at so often, on any machine."""

    __slots__ = ("_left",)

    def __init__(self, number: int) -> None:
        super().__init__(None)
        self._left = number

    def late(self) -> bool:
        """Return whether it was looked at more often."""
        self._left -= 1
        return self._left < 0


@pytest.mark.slow
def test_what_was_ruled_out_is_told_when_time_ends() -> None:
    """Candidates that were ruled out when time ends are told as steps, though no placement rests on them yet."""
    [board] = load("sudoku/jigsaw")
    [answer] = solutions(board)
    next(iter(explain(board)))  # grounds the rules
    for number in range(400, 10**6, 100):
        *told, end = explain(board, settings=Settings(timeout=Looks(number)))
        assert (end.kind, end.words) == ("end", "Out of time.")
        assert [step.number for step in told] == [*range(1, len(told) + 1)]
        for step in told:
            meaning = step.display.meaning
            assert all(answer.values[meaning[atom][0]] == meaning[atom][1] for atom in step.placed)
            assert all(answer.values[meaning[atom][0]] != meaning[atom][1] for atom in step.eliminated)
            assert all(before < step.number for before in step.after)
        if told and told[-1].kind == "elimination":
            break


@pytest.mark.slow
def test_what_is_told_when_time_ends_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is told within a fifth of the time limit, here of a clock that counts questions to clingo."""
    asked = 0
    solve = Control.solve

    def counted(control: Control, *arguments: Any, **options: Any) -> Any:
        nonlocal asked
        asked += 1
        return solve(control, *arguments, **options)

    monkeypatch.setattr(Control, "solve", counted)
    monkeypatch.setattr("pyasp_puzzles.asp.deadline.monotonic", lambda: float(asked))
    [board] = load("sudoku/jigsaw")
    next(iter(explain(board)))
    for limit in (100, 150, 200):
        started = asked
        assert [*explain(board, settings=Settings(timeout=limit))][-1].status == "unknown"
        assert asked - started <= 1.2 * limit


@pytest.mark.slow
def test_a_board_that_is_known_is_not_lost_when_time_ends() -> None:
    """While clues are left out of a board with one answer, time may end at any moment: that board is given."""
    wanted: dict[str, Any] = {"use": {"thermometers": (2, 4)}, "givens": (0, 4), "size": 4, "seed": 1}
    [whole] = generate("sudoku", **wanted)
    found = None
    for number in range(20, 10**5, 5):
        with suppress(OutOfTime):
            [found] = generate("sudoku", **wanted, settings=Settings(timeout=Looks(number)))
            break
    assert found is not None
    assert count(found, limit=2) == count(whole, limit=2) == 1
    assert len(found.facts) > len(whole.facts)


@pytest.mark.slow
def test_no_layout_is_blamed_when_time_ends() -> None:
    """Whenever time ends, no layout is said to have no answer; 4 of 100 such runs said so once."""
    number = times(12, 60)
    for i in range(number):
        settings = Settings(timeout=0.2 + 0.6 * i / number)
        with suppress(OutOfTime):
            list(generate("sudoku", size=4, use={"even": None}, givens=0, seed=1, settings=settings))
