"""Choosing clues that leave an answer as the only one: lines that lie apart, cages that cover the board, few givens.

The clues come from a pool of those that hold for the answer. As long as a choice of them leaves another answer, one of
the clues that this other answer breaks must be chosen, too: clingo chooses anew. Other answers are looked for near the
answer, because few clues tell these apart.

Unit  clues that are chosen together: `((thermometer(7, 1, 1, 1), thermometer(7, 2, 1, 2)),)`
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pyasp_puzzles.asp.decisions import Decisions
from pyasp_puzzles.asp.paths import mode_path
from pyasp_puzzles.asp.search import ground
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.generation.clues import with_clues
from pyasp_puzzles.generation.lines import places
from pyasp_puzzles.generation.reduction import other_answers
from pyasp_puzzles.puzzles.question import Question, ask

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from random import Random

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.generation.clue_search import AnswerLiterals, ClueSearch
    from pyasp_puzzles.generation.clues import Unit
    from pyasp_puzzles.generation.reduction import Wish
    from pyasp_puzzles.model.keys import Shape

# Choices that are tried for an answer, and other answers that are looked for at a time.
MOST_ROUNDS = 60
OTHERS = 4
# Conflicts after which another choice is tried.
MOST_CONFLICTS = 20_000
# Conflicts after which it is not asked further whether the pool is enough.
MOST_CONFLICTS_OF_POOL = 500
# How much longer a line may seem by chance where longer ones are preferred.
CHANCE = 2
# How much longer lines seem that are taken before others.
KNOWN = 100


class Selection:
    """The choices from a pool of clues that hold for an answer.

    Args:
        program: a search that has all clues of the pool.
        answer: the answer.
        pool: the clues, in units.
        shapes: {fact of a clue that is drawn: its cells}.
        known: shapes that are taken before others.
        wish: how many clues of each key there are to be, and how they are to lie.
        rng: chooses among them.
        settings: the rules and the time limit.
    """

    def __init__(
        self,
        program: ClueSearch,
        answer: AnswerLiterals,
        pool: Sequence[Unit],
        shapes: Mapping[Symbol, Shape],
        known: Collection[Shape],
        *,
        wish: Wish,
        rng: Random,
        settings: Settings,
    ) -> None:
        self._program, self._answer, self._pool = program, answer, pool
        self._shapes, self._wish, self._rng, self._settings = shapes, wish, rng, settings
        self._key = [program.key_of(unit[0]) for unit in pool]
        # How much each unit is preferred: as its lines are long, and as it rules out other answers.
        self._worth = [self._length(unit) + CHANCE * rng.random() for unit in pool]
        for i, unit in enumerate(pool):
            self._worth[i] += KNOWN * any(shapes.get(clue[0]) in known for clue in unit)
        self._places = [frozenset(self._taken(unit)) for unit in pool]
        self._search = self._made(strict=True)
        self._decisions = Decisions(self._search)

    def units(self, rounds: int = MOST_ROUNDS) -> tuple[list[Unit], str]:
        """Return clues, and why they do not leave the answer as the only one; empty if they do.

        Raises:
            OutOfTime: time ran out.
        """
        chosen = self._chosen()
        if chosen is None:  # there is no room for so many
            self._search = self._made(strict=False)
            self._decisions = Decisions(self._search)
            return [self._pool[i] for i in self._chosen() or ()], "there is no room for so many"
        if self._too_few():
            return [self._pool[i] for i in chosen], "all clues that hold leave another answer"
        for _ in range(rounds):
            units = [self._pool[i] for i in chosen]
            board = with_clues(self._program.board, [clue for unit in units for clue in unit], self._program.keys)
            atoms = self._program.atoms(self._answer)
            others, complete = other_answers(board, atoms, self._settings, OTHERS, MOST_CONFLICTS)
            if complete and not others:
                return units, ""
            wrong = [self._wrong(other) for other in others] or [{*range(len(self._pool))} - {*chosen}]
            for one in wrong:
                self._require(one)
            better = self._chosen() if all(wrong) else None
            if better is None:
                break
            chosen = better
        return [self._pool[i] for i in chosen], "each choice of clues that was tried left another answer"

    def _too_few(self) -> bool:
        """Return whether even all clues of the pool leave another answer, if that is found soon."""
        broken = [-literal for literal in self._judge.atoms("broken", 1).values()]
        known = {*self._program.atoms(self._answer)}
        guard = self._judge.forbid([literal for atom, literal in self._judged if literal and atom in known])
        found, _ = self._judge.solve_here([guard, *broken], 1, lambda _: True, most=MOST_CONFLICTS_OF_POOL)
        return bool(found)

    def _wrong(self, other: Collection[Symbol]) -> set[int]:
        """Return the units that another answer breaks."""
        true = {*other}
        literals = [literal if atom in true else -literal for atom, literal in self._judged if literal]
        broken = self._judge.atoms("broken", 1).items()
        found, _ = self._judge.solve_here(
            literals, 1, lambda model: [one.arguments[0] for one, literal in broken if model.is_true(literal)]
        )
        if self._judge.timed_out:
            raise OutOfTime
        rules = found[0] if found else ()
        return {i for rule in rules for n in (1, 2, 4) for i in self._by_rule.get((rule.name, *rule.arguments[:n]), ())}

    @cached_property
    def _judge(self) -> Search:
        """A program with all clues of the pool, in which an answer tells which rules are broken."""
        program = self._program
        board = with_clues(program.board, [clue for unit in self._pool for clue in unit], program.keys)
        question = Question((*program.view.outputs, "broken/1"), ("broken",), given=program.view.shows)
        search = ask(board, self._settings, question)
        if not search.usable:
            raise OutOfTime
        return search

    @cached_property
    def _judged(self) -> list[tuple[Symbol, int]]:
        """The atoms of answers in that program, with their literals."""
        signatures = self._program.view.signatures()
        return [one for signature in signatures for one in self._judge.atoms(*signature).items()]

    @cached_property
    def _by_rule(self) -> dict[tuple[object, ...], list[int]]:
        """{name and first arguments of a rule: the units with a clue that it is about}."""
        found: dict[tuple[object, ...], list[int]] = {}
        for i, unit in enumerate(self._pool):
            for clue in unit:
                place = clue[0].arguments[: self._key[i].kind.together or 2 * self._key[i].cells]
                found.setdefault((self._key[i].rule, *place), []).append(i)
        return found

    def _require(self, units: Collection[int]) -> None:
        """Demand that one of some units is chosen."""
        with self._search.backend() as backend:
            backend.add_rule([], [-self._picks[i] for i in sorted(units)])
        for i in units:
            self._worth[i] += 1

    def _chosen(self) -> list[int] | None:
        """Return the units of the best choice; None if there is none."""
        order = sorted(range(len(self._pool)), key=lambda i: -self._worth[i])
        # As many clues as there is room for; of givens, as few as possible.
        groups = [[-self._picks[i] if self._is_given(i) else self._picks[i]] for i in order]
        found, _ = self._decisions.first(
            self._search, groups, lambda model: [i for i in order if model.is_true(self._picks[i])]
        )
        if self._search.timed_out:
            raise OutOfTime
        return found

    def _is_given(self, i: int) -> bool:
        return self._key[i].kind.role == "answers"

    # -- The program ----------------------------------------------------------------------------------------

    def _made(self, *, strict: bool) -> Search:
        """Return the program of all choices, without least numbers if it is not strict."""
        keys = {key.name: i for i, key in enumerate(self._program.keys)}
        numbers: dict[object, int] = {}  # of places
        lines = []
        for i, unit in enumerate(self._pool):
            lines.append(f"unit({i},{keys[self._key[i].name]}). weight({i},{len(unit)}).")
            lines += [
                f"takes({i},{numbers.setdefault(place, len(numbers))})." for place in sorted(self._places[i], key=str)
            ]
        lines += [f"room({place})." for place in numbers.values()]
        if strict and self._wish.cover:
            tools = self._covering()
            lines += [
                f"covered({numbers.setdefault((tool, cell), len(numbers))})."
                for tool in tools
                for cell in sorted(self._program.puzzle.cells(self._program.board.facts))
            ]
        for name, span in self._wish.spans(self._program.keys):
            lines += [f"least({keys[name]},{span.low})."] if strict else []
            lines += [f"most({keys[name]},{span.high})."] if isinstance(span.high, int) else []
        search = ground([mode_path("selection")], "\n".join(lines), self._settings)
        if not search.usable:
            raise OutOfTime
        picks = search.atoms("pick", 1)
        self._picks = {atom.arguments[0].number: literal for atom, literal in picks.items()}
        return search

    def _covering(self) -> list[str]:
        """Return the tool of cages, or that of all lines if there are no cages."""
        tools = [key.kind.tool for key in self._program.keys if key.kind.drawn and key.kind.drawn.apart]
        return ["cage"] if "cage" in tools else tools[:1]

    def _length(self, unit: Unit) -> int:
        return max((len(self._shapes[clue[0]][-1]) for clue in unit if self._shapes.get(clue[0])), default=0)

    def _taken(self, unit: Unit) -> Iterator[object]:
        """Yield the places that the lines of a unit take: lines of any key, cages of any key."""
        for clue in unit:
            key = self._program.key_of(clue)
            if key.kind.drawn is not None and key.kind.drawn.apart and self._wish.lines != "overlap":
                yield from places(key, self._shapes.get(clue[0], ()), self._wish)
