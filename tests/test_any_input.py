"""Whatever text comes in: it is refused with a `PuzzleError`, or it is an instance that can be asked anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyasp_puzzles import PuzzleError, loads, solutions

from .helpers import COLORED, facts, one
from .hostile import PIECES, VALID
from .strategies import examples

if TYPE_CHECKING:
    from .strategies import Draw


@st.composite
def mutations(draw: Draw, text: str) -> str:
    """Return a text that is cut off, or in which a few pieces are put in, left out, doubled or swapped."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        piece = draw(st.sampled_from(["", text[start:end] * 2, *PIECES]))
        text = text[:start] + piece + text[end:]
    return text[: draw(st.integers(0, len(text)))] if draw(st.integers(0, 3)) == 0 else text


def survives(text: str, source: str) -> None:
    """Load a text; if it loads, solve its boards, print them, and read their facts back."""
    instances, refusal = [], source
    try:
        instances = loads(text, source)
    except PuzzleError as error:
        refusal = str(error)
    assert refusal.startswith(source)
    assert refusal.isprintable()
    for instance in instances:
        for answer in [*solutions(instance, limit=1), instance.solution]:
            if answer is not None:
                assert isinstance(answer.json(), dict)
                assert isinstance(answer.text(COLORED), str)
                assert isinstance(str(answer), str)
        again = one(facts(instance), "again.lp")
        assert set(again.facts) == set(instance.facts)
        assert again.puzzle is instance.puzzle


@examples(40)
@given(
    st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.sampled_from(["toml", "lp"])
)
@example("tile(1, 1, not). longest(1).", "lp")
def test_any_text(text: str, suffix: str) -> None:
    """Any text is refused in one line, or loads and can be solved, printed and written as facts."""
    survives(text, f"x.{suffix}")


@pytest.mark.parametrize("name", VALID)
def test_mutations(name: str) -> None:
    """A sound instance with a few changes is refused in one line, or loads and can be solved and printed."""

    @examples(40)
    @given(mutations(VALID[name]))
    def mutated(text: str) -> None:
        survives(text, name)

    assert loads(VALID[name], name)
    survives(VALID[name], name)
    mutated()


@pytest.mark.parametrize("name", VALID)
def test_truncations(name: str) -> None:
    """A sound instance that is cut off anywhere is refused in one line, or loads and can be solved and printed."""
    for end in range(len(VALID[name])):
        survives(VALID[name][:end], name)


KEYS = {
    "strata": ["tiles", "palette", "colors"],
    "strimko": ["streams", "givens"],
    "sudoku": ["givens", "regions", "box"],
    "tectonic": ["blocks", "givens"],
    "strips": ["tiles", "longest", "strips", "letters"],
}
GRIDS = [".", "A", "#", "1", "\nAB\nBA\n", "\n12\n..\n", "\n##\n##\n", "\n#A\nA#\n", "row 1\ncolumn 1 A", "A B C D"]
VALUES = [f"'''{grid}'''" for grid in GRIDS]
VALUES += ["1", "-1", "0", "2.5", "inf", "true", "[]", "[2, 1]", '["A"]', '["AB", "A"]', "[[]]", "{}", "2026-11-01"]
VALUES += ['{ A = "red" }', "{ A = 1 }", '{ "\\u001b" = 1 }', '["A", "\\u0000"]', '"\\u0007\\n"']


@examples(50)
@given(st.data(), st.sampled_from([*KEYS]))
def test_any_values(data: st.DataObject, puzzle: str) -> None:
    """Any value of any key is refused in one line, or makes an instance that can be solved and printed."""
    keys = [*KEYS[puzzle], *KEYS[puzzle], "title", "solution", "board"]
    table = data.draw(st.dictionaries(st.sampled_from(keys), st.sampled_from(VALUES)))
    survives("".join(f"{key} = {value}\n" for key, value in ({"puzzle": f'"{puzzle}"'} | table).items()), "x.toml")
