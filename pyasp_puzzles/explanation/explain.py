"""Explanations: the steps from the clues to the answer, each with the few rules and cells that force it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clingo.symbol import Function

from pyasp_puzzles.arguments import check_flag
from pyasp_puzzles.asp.deadline import Deadline
from pyasp_puzzles.asp.settings import DEFAULT, Settings, refuse_settings
from pyasp_puzzles.asp.symbols import negated_symbol
from pyasp_puzzles.boards.grid import cell_count as counted_cells
from pyasp_puzzles.boards.spans import Span, unmarked
from pyasp_puzzles.errors import OutOfTime
from pyasp_puzzles.explanation.cores import THOROUGH, Patience, PatienceLeft, RuleCoreFinder
from pyasp_puzzles.explanation.deduction import Deduction
from pyasp_puzzles.explanation.patterns import Pattern, pattern_of
from pyasp_puzzles.explanation.reasons import ChosenReasons
from pyasp_puzzles.explanation.sentences import Sentences
from pyasp_puzzles.explanation.step_sentences import StepSentences
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.model.step import OUT_OF_TIME, THE_ANSWER, Reason, Step, StepDisplay, StepPosition, step_drawer
from pyasp_puzzles.queries.ground_rules import core_of_rules, given_ground_atoms, ground_rules_of
from pyasp_puzzles.queries.method import method_steps
from pyasp_puzzles.queries.review import check_review
from pyasp_puzzles.queries.words import Words

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.explanation.propagators import Deduced, EliminationSource
    from pyasp_puzzles.explanation.reasons import Options
    from pyasp_puzzles.model.answer import Answer
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.model.step import EndStatus, StepPicture

# Eliminations are pending until a placement depends on them, or a step takes more rules than this.
_MOST_RULES_PENDING = 100
# When time ends, the pending eliminations of this many sources are stated: each takes some milliseconds.
_MOST_STATED_LATE = 6
# How much longer that may take, as a part of the time limit, and in seconds.
_MOST_LATE = 0.2
_MOST_SECONDS_LATE = 3


def explain(
    instance: InstanceLike, so_far: Answer | None = None, settings: Settings = DEFAULT, *, words: bool = True
) -> Iterator[Step]:
    """Yield the steps that lead from the clues to the answer, each as soon as it is found.

    The next step is the cheapest, by `deduction_cost`: the one with the least to look at. What a placement
    eliminates by one rule and nothing else is part of its step. Other eliminations come right before the placement
    they serve, or at the end if time runs out.

    The last step, of the kind "end", has a status: "unique" (this is the answer), "several" (this is what all answers
    share), "none" (with rules and clues that contradict one another), or "unknown" (out of time).

    Args:
        instance: the board, or the name or the path of a file with one, such as "tectonic/seed".
        so_far: what is filled in already, without mistakes.
        settings: how to search.
        words: whether steps have sentences, reasons and pictures, which take half of the time on an easy board.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    instance = load_only_board(instance, settings)
    refuse_settings(so_far, "explain", "an answer")
    check_flag(words, "words")
    if so_far is not None:
        check_review(instance, so_far, "so_far")
    return explain_patiently(instance, so_far, settings, THOROUGH, words=words)


def explain_patiently(
    instance: Instance, so_far: Answer | None, settings: Settings, patience: Patience, *, words: bool = True
) -> Iterator[Step]:
    """Yield the steps as `explain` does, with limits of its own on the search.

    With low limits, some steps eliminate candidates on which no placement depends.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
    """
    try:
        if instance.puzzle.kind.method is not None:
            yield from method_steps(instance, instance.puzzle.kind.method, settings, so_far)
        else:
            yield from _Explanation(instance, settings, so_far, patience, with_words=words)
    except OutOfTime:  # before the first step
        yield Step(1, "end", OUT_OF_TIME, status="unknown")


class _FoundStep(NamedTuple):
    """What a step is made of."""

    finding: Deduced
    known: dict[int, bool]
    """The known atoms that it needs."""
    eliminated_by: dict[int, Options]
    """{atom that was eliminated directly: [(rule, the true atom with which it excludes this one)]}"""


class _Explanation:
    """The steps of an instance.

    Eliminations are pending until a placement is found, and only those that it depends on are yielded, right before it.
    If no placement is near, all pending ones are yielded.
    """

    def __init__(
        self, instance: Instance, settings: Settings, so_far: Answer | None, patience: Patience, *, with_words: bool
    ) -> None:
        settings = settings.started()
        self._instance, self._settings = instance, settings
        self._deadline = settings.deadline()
        self._patience, self._effort = patience, PatienceLeft(patience, self._deadline)
        self._with_words = with_words
        ground = ground_rules_of(instance, settings)
        # Pending eliminations are stated for some time after the search has ended.
        seconds = self._deadline.left()
        self._late = Deadline(seconds + min(_MOST_LATE * seconds, _MOST_SECONDS_LATE))
        search = ground.search
        self._ground = (
            ground._replace(search=search.assuming((), Settings(timeout=self._late))) if search.usable else ground
        )
        self._words = Words(self._ground, instance, settings)
        self._two_valued = instance.puzzle.kind.two_valued
        self._deduction = Deduction(self._ground, self._effort.check, two_valued=self._two_valued)
        granted = self._deduction.groups.granted
        self._sentences = Sentences(self._words, two_valued=self._two_valued, granted=granted)
        self._step_sentences = StepSentences(self._sentences, self._words, two_valued=self._two_valued)
        self._cores: RuleCoreFinder | None = None
        usable = self._ground.search.usable
        known_at = instance.puzzle.kind.known_at
        self._drawer = step_drawer(instance.printed, known_at(instance, self._ground.search)) if usable else None
        # {atom: the number of the step by which it is known}, without clues and direct eliminations.
        self._source: dict[int, int] = {}
        # How many steps were yielded, and how many findings of cores are pending.
        self._number = self._postponed = 0
        # What is known from the clues and the yielded steps.
        self._explained = self._deduction.stated
        # Whether nothing more was found within the limits.
        self._gave_up = False
        self._filled_in = self._literals(so_far) if so_far is not None and usable else []

    def __iter__(self) -> Iterator[Step]:
        steps = self._steps() if self._ground.search.usable else iter([self._end(None)])
        yield replace(next(steps), warnings=tuple(self._ground.search.warnings))
        yield from steps

    def _steps(self) -> Iterator[Step]:
        for literal in [*given_ground_atoms(self._ground, self._instance), *self._filled_in]:
            self._deduction.place([literal])
        while (finding := self._next()) is not None:
            try:
                if self._is_postponed(finding):
                    self._deduction.postpone(finding)
                    self._postponed += 1
                    # After a step of so many rules, a placement is far away, so pending eliminations are stated.
                    if len(finding.rules) > _MOST_RULES_PENDING or self._postponed >= self._patience.found:
                        yield from self._steps_of(self._deduction.pending())
                    continue
                sooner = yield from self._steps_of(self._deduction.needed_eliminations(finding), finding)
                if sooner is not None:
                    yield self._step(self._each_once(sooner))
                    continue
                finding = self._as_stated(finding)
            except OutOfTime:
                finding = None
                self._gave_up = self._effort.spent
                break
            yield self._step(self._each_once(finding))
            if not finding.conclusions:
                break
        if finding is None and (self._gave_up or self._deadline.late()):  # pending ones, though for no placement
            self._deduction.state_until(self._late)
            with suppress(OutOfTime):
                yield from self._steps_of(islice(self._deduction.pending(), _MOST_STATED_LATE))
        yield self._end(finding)

    def _as_stated(self, finding: Deduced) -> Deduced:
        """Return a placement as a reader sees it, who knows only what steps stated."""
        best = self._deduction.restated(finding)
        if not self._deduction.is_stated(finding.cells):
            self._deadline.check()  # if time ran out in between, it may depend on pending eliminations
        return best._replace(available=finding.available, cheapest=finding.cheapest and best.cost <= finding.cost)

    def _is_postponed(self, finding: Deduced) -> bool:
        """Return whether a finding only eliminates candidates, which are pending until a placement depends on them."""
        return bool(finding.conclusions) and not self._deduction.decides(finding.conclusions[-1])

    def _steps_of(
        self, pending: Iterable[tuple[EliminationSource, list[int]]], last: Deduced | None = None
    ) -> Generator[Step, None, Deduced | None]:
        """Yield the steps of pending eliminations, each given the steps before it.

        Return a placement by one rule that is there before all are stated, or is cheaper than the last step, which
        depends on them. On a board without an answer, pending ones may eliminate what such a rule places.
        """
        self._postponed = 0
        parts = [*pending]
        for number, (source, literals) in enumerate(parts, 1):
            left = literals
            # One step after the other: after one elimination, the next may need less.
            while left and (findings := self._deduction.as_stated().again(source, left)):
                yield self._step(findings[0])
                left = [literal for literal in left if abs(literal) not in self._explained]
                sooner = last and self._deduction.as_stated().placing(findings[0].conclusions)
                if last and sooner and (left or number < len(parts) or round(sooner.cost, 3) < round(last.cost, 3)):
                    return sooner
        return None

    def _literals(self, so_far: Answer) -> list[int]:
        """Return the literals of what is filled in."""
        atoms = {symbol: atom for atom, symbol in self._ground.symbols.items()}
        entries = self._instance.puzzle.kind.entries(self._instance, so_far, self._ground.search, so_far=True)
        holding = [atoms[atom] for entry in entries for atom in entry.holds if atom in atoms]
        failing = [-atoms[atom] for entry in entries for atom in entry.fails if atom in atoms]
        return holding + (failing if self._two_valued else [])

    def _next(self) -> Deduced | None:
        try:
            finding = self._deduction.smallest()
            if finding is None:
                self._deadline.check()
                if self._is_answer():
                    return None
                self._gave_up = not self._patience.deep and self._deduction.has_pending
                if self._gave_up:
                    return None
                if self._cores is None:
                    self._cores = RuleCoreFinder(self._instance, self._deduction, self._settings, self._effort)
                finding = self._cores.find()
                finding = finding and self._deduction.with_source(finding, self._cores.refuting(finding.rules))
                self._gave_up = finding is None and (self._effort.spent or self._cores.is_open)
            self._deadline.check()
        except OutOfTime:
            self._gave_up = self._effort.spent
            return None
        return finding and self._each_once(finding)

    def _each_once(self, finding: Deduced) -> Deduced:
        """Return a finding without the conclusions that its placements eliminate directly."""
        placed = [literal for literal in finding.conclusions if literal > 0]
        if len(placed) == len(finding.conclusions):
            return finding
        direct = {-atom for literal in placed for atom, _ in self._deduction.direct_eliminations(literal)}
        # Placements that exclude one another stay: the next step is the contradiction.
        return finding._replace(conclusions=tuple(literal for literal in finding.conclusions if literal not in direct))

    def _is_answer(self) -> bool:
        """Return whether all is known and no rule is broken, rules without a name included."""
        if self._ground.symbols.keys() - self._deduction.known.keys():
            return False
        return self._ground.search.refute(self._deduction.assumptions()) is None

    def _found(self, finding: Deduced) -> _FoundStep:
        """Return a finding with the atoms that it needs."""
        cells = set(finding.cells)
        atoms = {atom for rule in finding.rules for atom in self._ground.rules[rule].atoms}
        every = self._explained
        others = cells.difference(self._ground.cells[atom] for atom in atoms)
        atoms |= {atom for cell in others for atom in self._deduction.atoms_of[cell]}
        known = {atom: every[atom] for atom in every if atom in atoms and self._ground.cells[atom] in cells}
        excluded_by = self._deduction.excluded_by
        by = {atom: list(excluded_by[atom]) for atom, holds in known.items() if not holds and atom in excluded_by}
        return _FoundStep(finding, known, by)

    def _step(self, finding: Deduced) -> Step:
        """Return the next step, and count its conclusions as explained."""
        basis = self._found(finding)
        rules, cells, conclusions, available, *_ = finding
        self._number += 1
        before = {cell: self._left(cell) for cell in cells} if self._with_words else {}
        named = self._with_words and not self._two_valued
        pattern = pattern_of(self._ground, rules, basis.known, conclusions, self._explained) if named else Pattern()
        placed = [literal for literal in conclusions if literal > 0]
        eliminated = [-literal for literal in conclusions if literal < 0]
        direct = {
            atom: None
            for literal in placed
            for atom, _ in self._deduction.direct_eliminations(literal)
            if atom not in self._explained and atom not in placed
        }
        self._explained.update(dict.fromkeys(placed, True) | dict.fromkeys([*eliminated, *direct], False))
        step = Step(
            self._number,
            "placement" if placed else "elimination" if eliminated else "contradiction",
            "",
            tuple(self._ground.rules[rule].name for rule in rules),
            cells,
            self._symbols(placed),
            self._symbols(eliminated),
            self._symbols(direct),
            before,
            available=available,
            name=pattern.name,
            cost=finding.cost,
            cheapest=finding.cheapest,
        )
        if self._with_words:
            step = self._worded(step, basis, pattern, [*placed, *eliminated], [*direct])
        self._source |= dict.fromkeys(map(abs, conclusions), self._number)
        self._deduction.place(conclusions)
        if placed:
            self._effort.placed()
        return step

    def _worded(
        self, step: Step, basis: _FoundStep, pattern: Pattern, concluded: Sequence[int], direct: Sequence[int]
    ) -> Step:
        """Return a step with its sentence, its reasons and its pictures.

        Args:
            step: the step without them.
            basis: what it is made of.
            pattern: its name and its shape.
            concluded: the atoms of its conclusions.
            direct: the atoms that these eliminate directly.
        """
        (rules, cells, conclusions, *_), known, eliminated_by = basis
        eliminated = [-literal for literal in conclusions if literal < 0]
        marked = {self._ground.cells[abs(literal)] for literal in conclusions}
        # What a placed value rules out by now needs no earlier step as its reason.
        steps = {atom: self._source[atom] for atom in known if atom in self._source and atom not in eliminated_by}
        chosen = ChosenReasons(self._words, eliminated_by, {atom: steps[atom] for atom in steps if not known[atom]})
        main = self._deduction.groups.main_of(rules)
        refuted = None
        sentence = ""
        board = {atom: self._explained[atom] for atom in self._explained.keys() - {*concluded, *direct}}
        total = self._deduction.groups.total(rules, cells)
        if total is not None:
            sentence = self._sentences.total(total, known, conclusions, board=board)
        if not sentence and main is not None and conclusions and not pattern.structure:
            sentence = self._sentences.of_group(main, rules, known, conclusions, board=board)
        for rule in rules if sentence else ():  # its sentence has no reasons, but the step does
            chosen.clauses(rule)
        if not sentence:
            sentence, refuted = self._step_sentences.step(rules, known, conclusions, chosen, pattern, board=board)
        chosen.choose_others()
        if self._two_valued and direct:  # what is not shaded is part of the answer
            sentence = f"{sentence} {self._sentences.following(direct)}"
        holding = [*(by for _, by in chosen.by.values()), *(atom for atom in known if known[atom])]
        seen = sorted({self._ground.cells[atom] for atom in holding})
        position = self._position(self._explained, marked, {*cells, *seen} - marked, eliminated)
        position = position._replace(new=self._symbols([*concluded, *direct]))
        if refuted is not None and refuted.cut is not None:
            position = position._replace(cut=refuted.cut.cells)
        placed = len(step.placed)
        return replace(
            step,
            words=self._words.sentence(sentence),
            seen=tuple(seen),
            after=tuple(sorted(set(steps.values()))),
            where=self._words.sentence(self._sentences.where(rules, conclusions)),
            links=refuted.links if refuted is not None else (),
            has_list=refuted is not None and refuted.listed,
            reasons=self._reasons(chosen, steps, known),
            display=StepDisplay(
                self._picture(position),
                self._picture(self._where(rules, position, placed, len({*concluded, *direct}) - placed)),
                lambda: tuple(map(self._words.sentence, self._step_sentences.why(known, chosen, steps, refuted))),
                self._meaning([*concluded, *direct, *known, *holding, *(refuted.known if refuted else ())], step.known),
                self._units({*rules, *(rule for rule, _ in chosen.by.values())}),
            ),
        )

    def _reasons(
        self, chosen: ChosenReasons, steps: Mapping[int, int], known: Mapping[int, bool]
    ) -> tuple[Reason, ...]:
        """Return why each candidate of a step is ruled out."""
        symbols, rules = self._ground.symbols, self._ground.rules
        return tuple(
            Reason(symbols[atom], rules[chosen.by[atom][0]].name, symbols[chosen.by[atom][1]])
            if atom in chosen.by
            else Reason(symbols[atom], step=steps.get(atom, 0))  # 0: it is filled in
            for atom in known
            if not known[atom]
        )

    def _units(self, rules: Iterable[int]) -> tuple[Span, ...]:
        """Return the names of the units of rules, with their cells."""
        units = dict.fromkeys(self._words.unit(rule)[0] for rule in sorted(rules))
        return tuple(Span(unmarked(unit), tuple(sorted(self._words.unit_cells(unit)))) for unit in units if unit)

    def _where(self, rules: Iterable[int], position: StepPosition, placed: int, excluded: int) -> StepPosition:
        """Return the position before a step, given how many atoms it placed and excluded, with the cells to look at."""
        about = [self._ground.rules[rule] for rule in rules]
        cells = {self._ground.cells[atom] for rule in about if not rule.is_global for atom in rule.atoms}
        if any(rule.is_global for rule in about):  # it is about too many cells to show all of them
            cells.update(position.cut or position.premises)
        # What the step found comes last.
        known = position.placed[: len(position.placed) - placed]
        return StepPosition(known, premises=cells, excluded=position.excluded[: len(position.excluded) - excluded])

    def _meaning(
        self, atoms: Iterable[int], before: Mapping[Cell, Sequence[Symbol]]
    ) -> dict[Symbol, tuple[Cell, object]]:
        """Return {symbol: (cell, value)} for all that a step names."""
        named = [*atoms, *(atom for cell in before for atom in self._deduction.atoms_of[cell])]
        meaning = {self._ground.symbols[a]: (self._ground.cells[a], self._ground.values[a]) for a in named}
        for cell, left in before.items():
            for symbol in left:
                if symbol.negative:  # only where cells are decided: the words for a cell that is not shaded
                    value = meaning[Function(symbol.name, symbol.arguments)][1]
                    meaning[symbol] = cell, self._instance.puzzle.kind.literal_words(value, holds=False)[0]
        return meaning

    def _picture(self, position: StepPosition) -> StepPicture | None:
        return self._drawer(position) if self._drawer else None

    def _position(
        self,
        known: Mapping[int, bool],
        marked: Collection[Cell] = (),
        premises: Collection[Cell] = (),
        eliminated: Iterable[int] = (),
    ) -> StepPosition:
        placed = self._symbols(atom for atom, value in known.items() if value)
        excluded = self._symbols(atom for atom, value in known.items() if not value) if self._two_valued else ()
        left = {cell: self._left(cell) for cell in (*marked, *premises)}
        return StepPosition(placed, left, marked, premises, excluded, self._symbols(eliminated))

    def _symbols(self, atoms: Iterable[int]) -> tuple[Symbol, ...]:
        return tuple(self._ground.symbols[atom] for atom in atoms)

    def _left(self, cell: Cell) -> tuple[Symbol, ...]:
        """Return the candidates of a cell, given what was explained."""
        atoms = self._deduction.atoms_of[cell]
        if self._two_valued:
            symbols: list[Symbol] = []
            for atom, symbol in zip(atoms, self._symbols(atoms), strict=True):
                symbols += [symbol] if self._explained.get(atom, True) else []
                symbols += [] if self._explained.get(atom) else [negated_symbol(symbol)]
            return tuple(symbols)
        placed = [atom for atom in atoms if self._explained.get(atom)]
        return tuple(sorted(self._symbols(placed or [atom for atom in atoms if self._explained.get(atom, True)])))

    def _end(self, last: Deduced | None) -> Step:
        """Return the last step."""
        if last is not None:
            return self._contradiction()
        searches = self._cores.searches if self._cores else [self._ground.search]
        undecided = {self._ground.cells[atom] for atom in self._ground.symbols.keys() - self._deduction.known.keys()}
        number = counted_cells(len(undecided))
        status: EndStatus = "unique"
        text = THE_ANSWER
        if self._deadline.late() or any(search.timed_out for search in searches):
            status, text = "unknown", OUT_OF_TIME
        elif self._gave_up:
            status, text = "unknown", f"No short step was found; {number} are open."
        elif undecided:
            status = "several"
            text = f"No further cell can be deduced: there are several answers, which differ in {number}."
        return Step(
            self._number + 1,
            "end",
            text,
            status=status,
            abandoned=any(search.abandoned for search in searches),
            display=StepDisplay(self._picture(self._position(self._deduction.known))),
        )

    def _contradiction(self) -> Step:
        """Return the last step of a board without an answer: a minimal unsatisfiable subset of rules and clues."""
        conflicting = core_of_rules(self._ground)
        clues = [rule for rule in conflicting if rule.clue]
        rules = [*clues, *(rule for rule in conflicting if not rule.clue)]
        cells = {self._ground.cells[atom] for rule in clues for atom in rule.atoms}
        return Step(
            self._number + 1,
            "end",
            self._words.sentence(self._words.contradiction(rules)) if rules else "There is no answer.",
            tuple(rule.name for rule in rules),
            tuple(sorted(cells)),
            status="none" if rules else "unknown",
            display=StepDisplay(self._picture(StepPosition(premises=cells))),
        )
