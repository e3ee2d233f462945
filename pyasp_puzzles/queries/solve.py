"""`solve`, `count` and other questions about answers; `decided` and `possible`: cautious and brave consequences.

True candidates are the values that a cell has in some answer, and in how many, to show while a board is set:

Candidate  (1, 2), "3": a cell and its value in an answer, as text; "x" and "o" for shaded and not shaded
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.arguments import check_text, whole_number
from pyasp_puzzles.asp.search import GUIDED_SEARCH, program_search
from pyasp_puzzles.asp.settings import DEFAULT, Settings, refuse_settings
from pyasp_puzzles.errors import EncodingError, OutOfTime
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.model.answer import Count
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.puzzles.questions import Question, facts_program
from pyasp_puzzles.queries.sessions import session_search

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import AnswerView, Instance
    from pyasp_puzzles.model.record import SolutionsStatus
    from pyasp_puzzles.render.text import TextStyle

# -- solve ---------------------------------------------------------------------------------------------------------


class Solutions:
    """A lazy iterator over the answers of a board: each is searched for when it is requested."""

    def __init__(self, search: Search, answers: Iterable[Answer], limit: int = 0) -> None:
        self.search = search
        self.answers = iter(answers)
        self._limit = limit
        self.found = 0
        """How many answers have been returned."""
        self.normal = False
        """Whether only normal answers are searched for, which is enough to find one or two; see `normal.lp`."""
        self.ended = False
        """Whether there are no more answers to return."""
        self.failed = False
        """Whether an edited encoding returned something that is not an answer."""

    @property
    def complete(self) -> bool:
        """Whether it is proven that there are no more answers."""
        return self.search.exhausted and not self.failed and (self.ended or not self.normal)

    @property
    def status(self) -> SolutionsStatus:
        """What is known so far: "satisfiable", "unsatisfiable" or "unknown"."""
        if self.found:
            return "satisfiable"
        return "unsatisfiable" if self.complete else "unknown"

    def end(self) -> dict[str, object]:
        """Return the keys of `Record` that follow the answers, as far as known."""
        return {"status": self.status, "complete": self.complete}

    def __iter__(self) -> Iterator[Answer]:
        return self

    def __next__(self) -> Answer:
        try:
            answer = next(self.answers)
        except StopIteration:
            self.ended = True
            raise
        except EncodingError:
            self.failed = True
            raise
        self.found += 1
        return answer

    def json(self) -> Iterator[Mapping[str, object]]:
        """Yield each answer as `Answer.json` returns it."""
        return (answer.json() for answer in self)

    def text(self, style: TextStyle) -> Iterator[str]:
        """Yield each answer as `Answer.text` returns it."""
        return (answer.text(style) for answer in self)

    def count(self) -> Count:
        """Return the number of answers, without decoding them; normal ones, at most two, are decoded."""
        if self.normal:
            deque(self, 0)
        else:
            self.search.count(self._limit)
        return self.counted

    @property
    def counted(self) -> Count:
        """The answers that `count` has counted until now."""
        return Count(self.found if self.normal else self.search.counted, exact=self.complete)


def solutions(
    instance: InstanceLike, limit: int = 0, settings: Settings = DEFAULT, distinct: str | None = None
) -> Solutions:
    """Return an iterator over the different answers of a board.

    Args:
        instance: the board, or the name or the path of a file with one, such as "tectonic/seed".
        limit: the most answers; 0 for all.
        settings: how to search.
        distinct: which answers to Strata count as different: "lattices", "plays", "orders" or "looks".

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = load_only_board(instance, settings)
    limit = check_solve_limit(limit, "solutions")
    check_text(distinct, "distinct", "the name of a view", optional=True)
    settings = settings.started()
    view = instance.puzzle.view(distinct)
    query = _solutions_by_method(instance, view, limit, settings) or _normal_solutions(instance, view, limit, settings)
    if query is not None:
        return query
    search = search_for_answers(instance, view, settings)
    return Solutions(search, map(view.decoder(instance), search.models(limit)), limit)


def _solutions_by_method(instance: Instance, view: AnswerView, limit: int, settings: Settings) -> Solutions | None:
    """Return one answer, or a proof of none, by a puzzle's own method; None if it does not fit the rules or `limit`."""
    method = instance.puzzle.kind.method
    usual = method is not None and view.outputs == instance.puzzle.view().outputs and settings.seed is None
    if method is None or not usual or not questions.have_method(instance, settings):
        return None
    try:
        answer = method.answer(instance, settings.deadline())
    except OutOfTime:  # then a search says so
        return None
    if answer is not None and limit != 1:
        return None
    # Nothing is left to search for: a program with one answer, or without any.
    search = program_search((), "" if answer else ":-.\n", settings)
    search.exhausted = answer is None
    return Solutions(search, () if answer is None else (answer,), limit)


def _normal_solutions(instance: Instance, view: AnswerView, limit: int, settings: Settings) -> Solutions | None:
    """Return one or two answers from a search for normal answers; None for another limit, or rules without these.

    With `normal.lp`, the program has an answer if the board has one. If it has only one, `other.lp` finds another.
    """
    files = () if limit not in {1, 2} or settings.seed is not None else questions.normal_files(instance, settings)
    if not files:
        return None
    normal, other = files
    question = Question(view.outputs, given=view.shows, files=view.files, more=(normal,), pruning="all")
    decode = view.decoder(instance)

    def answers() -> Iterator[Answer]:
        atoms: Sequence[Symbol] = ()
        for atoms in query.search.models(limit):
            yield decode(atoms)
        if query.found == 1 < limit and query.search.exhausted:
            only = "".join(f"answer({atom}).\n" for atom in atoms)
            shows = "".join(f"#show {output}.\n" for output in view.outputs)
            query.search = program_search((other,), f"{facts_program(instance)}{only}{shows}", settings)
            yield from map(decode, query.search.models(1))

    query = Solutions(questions.ask(instance, settings, question), (), limit)
    query.answers, query.normal = answers(), True
    return query


def check_solve_limit(limit: int, function: str) -> int:
    """Return the most answers that a function is to find; raise `TypeError` or `ValueError` if it makes no sense."""
    refuse_settings(limit, function, "a limit")
    return whole_number(limit, "limit", 0, "a whole number of answers, 0 for all")


def solve(instance: InstanceLike, settings: Settings = DEFAULT) -> Answer | None:
    """Return an answer of a board, or None if it is proven that there is none.

    The board may be given as the name or the path of a file with one, such as "tectonic/seed".

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before it was known.
    """
    return _first(solutions(instance, 1, settings))


def unsolvable(instance: Instance, settings: Settings = DEFAULT) -> bool:
    """Return whether it is proven that a board has no answer; errors as for `solve`."""
    query = solutions(instance, 1, settings)
    return next(query, None) is None and query.complete


def has_one_answer(board: Instance, settings: Settings) -> bool:
    """Return whether a board has exactly one answer, by a search of its own.

    Raises:
        OutOfTime: time ran out.
    """
    query = solutions(board, 2, settings, board.puzzle.kind.generated_view)
    number = sum(1 for _ in query)
    if not query.complete and number < 2:
        raise OutOfTime
    return number == 1


def other_answers(
    board: Instance, answer: Collection[Symbol], settings: Settings, limit: int, most: int
) -> tuple[list[Sequence[Symbol]], bool]:
    """Return answers other than the given one, near it, and whether these are all.

    A new program is grounded, with all consequences (`pruning.lp`). The search is given up after `most` conflicts.

    Raises:
        OutOfTime: time ran out.
    """
    view = board.puzzle.view(board.puzzle.kind.generated_view)
    given = f"{view.shows}{nearest_answers_first(answer)}:- {', '.join(map(str, sorted(answer)))}.\n"
    question = Question(view.outputs, given=given, files=view.files, pruning="all")
    search = questions.ask(board, settings, question, options=GUIDED_SEARCH)
    others: list[Sequence[Symbol]] = []
    # Answers from before the search is given up count, too.
    search.find((), limit, lambda model: others.append(model.symbols(shown=True)), most=most)
    return others, search.exhausted


def nearest_answers_first(answer: Collection[Symbol]) -> str:
    """Return lines of a program by which answers near to this one are found first."""
    return "".join(f"#heuristic {atom}. [1,sign]\n" for atom in sorted(answer))


def decided(instance: InstanceLike, settings: Settings = DEFAULT) -> Answer | None:
    """Return what holds in every answer, or None if it is proven that there is none; otherwise as `solve`."""
    return _first(solutions_in_common(load_only_board(instance, settings), "decided", settings))


def possible(instance: InstanceLike, settings: Settings = DEFAULT) -> Answer | None:
    """Return what holds in some answer, or None if it is proven that there is none; otherwise as `solve`."""
    return _first(solutions_in_common(load_only_board(instance, settings), "possible", settings))


def solutions_in_common(instance: Instance, kind: str, settings: Settings = DEFAULT) -> Solutions:
    """Return an iterator over one `Answer`, what is `decided` or `possible`; empty if the board has no answer.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    search = search_for_answers(instance, instance.puzzle.view(), settings)

    def answers() -> Iterator[Answer]:
        answer = answers_in_common(instance, search, kind)
        if answer is not None:
            yield answer

    return Solutions(search, answers())


def answers_in_common(instance: Instance, search: Search, kind: str) -> Answer | None:
    """Return what is `decided` (cautious) or `possible` (brave); None if there is no answer or time ran out."""
    consequences: dict[str, Sequence[Symbol]] = {"cautious": (), "brave": ()}
    needed = "cautious" if kind == "decided" else "brave"
    for mode in consequences if instance.puzzle.kind.two_valued else [needed]:
        atoms = search.consequences(mode)
        if atoms is None or not search.exhausted:
            return None
        consequences[mode] = atoms
    return instance.puzzle.kind.consequences(instance, kind, consequences["cautious"], consequences["brave"])


def count(instance: InstanceLike, limit: int = 0, settings: Settings = DEFAULT, distinct: str | None = None) -> Count:
    """Return the number of answers of a board, without reading them; arguments and errors as for `solutions`.

    The board may be given as the name or the path of a file with one.
    """
    instance = load_only_board(instance, settings)
    limit = check_solve_limit(limit, "count")
    check_text(distinct, "distinct", "the name of a view", optional=True)
    settings = settings.started()
    counted = count_answers_directly(instance, limit, settings, distinct)
    return solutions(instance, limit, settings, distinct).count() if counted is None else counted


def count_answers_directly(instance: Instance, limit: int, settings: Settings, distinct: str | None) -> Count | None:
    """Return the number of answers if it is known without a search, as for Strata; None if it is not."""
    counter = instance.puzzle.view(distinct).counter
    number = None
    with suppress(OutOfTime):  # then a search says so
        applies = counter is not None and questions.have_method(instance, settings)
        number = counter(instance, settings.deadline()) if counter and applies else None
    if number is None:
        return None
    return Count(min(number, limit or number), exact=not limit or number <= limit)


def search_for_answers(instance: Instance, view: AnswerView, settings: Settings) -> Search:
    """Return the search for the answers of a board, on the shared grounding of its layout if there is one."""
    settings = settings.started()
    shared = session_search(instance, view, settings)
    if shared is not None:
        return shared
    return questions.ask(instance, settings, Question(view.outputs, given=view.shows, files=view.files, pruning="all"))


def _first(query: Solutions) -> Answer | None:
    """Return the first answer, or None if it is proven that there is none.

    Raises:
        OutOfTime: neither is known.
    """
    answer = next(query, None)
    if answer is None and not query.complete:
        raise OutOfTime
    return answer


# -- True candidates -----------------------------------------------------------------------------------------------

# One search looks for this many answers, times the limit of counts. If there are more, each candidate has a search.
_ANSWERS_OF_A_CANDIDATE = 8


_NO_CELL = (0, 0)


class TrueCandidates(NamedTuple):
    """What holds in every answer of a board (cautious consequences), and what in some (brave consequences).

    `TrueCandidates(2, decided=<Numbers>, possible={(1, 1): ["1", "2"]}, counts={(1, 1): {"1": 3, "2": 1}})`
    """

    answers: int
    """0, 1, or 2 for several."""
    decided: Answer | None = None
    """What holds in every answer; None without one."""
    possible: Mapping[Cell, Sequence[str]] = {}
    """The candidates of each cell, without cells for which time ran out. Empty if answers are not values of cells."""
    counts: Mapping[Cell, Mapping[str, int]] = {}
    """The number of answers with each candidate, up to the limit; empty if there was no time to count."""
    late: bool = False
    """Whether time ran out before the result was complete."""


def true_candidates(instance: Instance, limit: int = 1, settings: Settings = DEFAULT) -> TrueCandidates:
    """Return what holds in every answer of a board, and the candidates that hold in some.

    Args:
        instance: the board.
        limit: the most answers to count for each candidate; 1 finds the candidates without counting, and 0 only the
            number of answers.
        settings: how to search.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before it was known whether there is an answer.
    """
    limit = whole_number(limit, "limit", 0)
    settings = settings.started()
    view = instance.puzzle.view()
    search = search_for_answers(instance, view, settings)
    first = list(search.models(2))
    if not first and not search.exhausted:
        raise OutOfTime
    number = len(first) if search.exhausted else 2
    if not first or not limit:
        return TrueCandidates(number)
    always = search.consequences("cautious")
    if always is None or not search.exhausted:
        return TrueCandidates(number, late=True)
    kind = instance.puzzle.kind
    literals = search.literals(view.signatures())
    read = kind.atom_reader(instance, search)
    places = {atom: read(atom) or (_NO_CELL, None) for atom in literals}
    ordered = sorted(literals, key=lambda atom: places[atom][0])
    seen: set[Symbol] = set().union(*first)
    left = _find(search, ordered, literals, seen) if number > 1 else []
    sometimes = [atom for atom in ordered if atom in seen or atom in left]
    decided = kind.consequences(instance, "decided", always, sometimes if kind.two_valued else ())
    if kind.cells_left_over or any(cell == _NO_CELL for cell, _ in places.values()):
        return TrueCandidates(number, decided, late=bool(left))
    without, certain = {places[atom][0] for atom in left}, set(always)
    tokens: dict[Cell, dict[str, tuple[Symbol, bool]]] = {}
    for atom in ordered:
        cell, value = places[atom]
        for holds, token in ((True, "x"), (False, "o")) if kind.two_valued else ((True, str(value)),):
            if cell not in without and (atom in seen if holds else atom not in certain):
                tokens.setdefault(cell, {})[token] = atom, holds
    possible = {cell: [*of] for cell, of in tokens.items()}
    try:
        counts = {} if left else _counts(search, tokens, literals, limit)
    except OutOfTime:
        return TrueCandidates(number, decided, possible, late=True)
    return TrueCandidates(number, decided, possible, counts, bool(left))


def _find(
    search: Search, ordered: Sequence[Symbol], literals: Mapping[Symbol, int], seen: set[Symbol]
) -> Collection[Symbol]:
    """Add the atoms that hold in some answer to those seen; return the atoms that are still open when time runs out.

    Each atom not yet seen is assumed, and an answer adds all its atoms. On an empty 16x16 Sudoku this took 1.3 s;
    clingo's brave consequences took 4.3 s, and give nothing before they end.
    """
    for i, atom in enumerate(ordered):
        if atom not in seen and literals[atom]:
            assumed = [*search.assumed, literals[atom]]
            seen.update(*search.solve_here(assumed, 1, lambda model: model.symbols(shown=True))[0])
            if search.timed_out:
                return {*ordered[i:]} - seen
    return ()


def _counts(
    search: Search,
    tokens: Mapping[Cell, Mapping[str, tuple[Symbol, bool]]],
    literals: Mapping[Symbol, int],
    limit: int,
) -> dict[Cell, dict[str, int]]:
    """Return {cell: {candidate: its number of answers, up to the limit}}."""
    if limit == 1:
        return {cell: dict.fromkeys(of, 1) for cell, of in tokens.items()}
    # Boards with few answers, as most have while the last clues are set, need one search, not one for each candidate.
    models = [set(model) for model in search.models(limit * _ANSWERS_OF_A_CANDIDATE)]
    search.check()
    exact = search.exhausted

    def count(atom: Symbol, holds: bool) -> int:  # noqa: FBT001 (a pair of `tokens`)
        number = sum((atom in model) is holds for model in models)
        return number if exact or number >= limit else _count(search, literals[atom], limit, holds=holds)

    return {cell: {token: min(limit, count(*of)) for token, of in atoms.items()} for cell, atoms in tokens.items()}


def _count(search: Search, literal: int, limit: int, *, holds: bool) -> int:
    """Return the number of answers in which an atom holds, or does not; at most the limit."""
    if not literal and not holds:  # it is a fact
        return 0
    assumed = [*search.assumed, *([literal if holds else -literal] if literal else [])]
    return len(search.find(assumed, limit, lambda _: None))


def candidate_texts(answer: Answer | None) -> dict[Cell, str]:
    """Return {cell: its value in an answer, as text}; cells of one piece share a number. Empty for lines."""
    if answer is None or hasattr(answer, "lines"):
        return {}
    numbers: dict[object, str] = {}
    return {cell: _token(value, numbers) for cell, value in answer.cells().items() if value is not None}


def _token(value: object, numbers: dict[object, str]) -> str:
    if isinstance(value, bool):
        return "x" if value else "o"
    if isinstance(value, tuple):  # the cells of a piece; or the direction of a ribbon, and its color
        of_cells = all(isinstance(part, tuple) for part in value)
        return numbers.setdefault(value, str(len(numbers) + 1)) if of_cells else str(value[-1] or "")
    return str(value)
