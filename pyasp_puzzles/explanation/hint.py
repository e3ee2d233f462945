"""Hints: the next step on a partly filled board, or which entries are wrong, and why they contradict the clues."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pyasp_puzzles.asp.cores import minimal_subset
from pyasp_puzzles.asp.settings import DEFAULT, Settings, refuse_settings
from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.spans import as_sentence, marked, marked_again, marked_cell, spans_of
from pyasp_puzzles.errors import OutOfTime, listing
from pyasp_puzzles.explanation.cores import BRIEF, THOROUGH
from pyasp_puzzles.explanation.deduction import Deduction
from pyasp_puzzles.explanation.explain import explain_patiently
from pyasp_puzzles.explanation.reasons import ChosenReasons
from pyasp_puzzles.explanation.sentences import lines_in_sentence
from pyasp_puzzles.formats.load import InstanceLike, load_only_board
from pyasp_puzzles.model.step import OUT_OF_TIME, THE_ANSWER, Step, StepDisplay, StepPicture
from pyasp_puzzles.puzzles import questions
from pyasp_puzzles.queries.ground_rules import given_ground_atoms, ground_rules_of
from pyasp_puzzles.queries.review import check_review, entries_to_take_back, is_complete_answer, review_literals
from pyasp_puzzles.queries.solve import search_for_answers, solutions, unsolvable
from pyasp_puzzles.queries.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clingo import Symbol

    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.answer import Answer, Entry
    from pyasp_puzzles.model.puzzle import Instance
    from pyasp_puzzles.queries.ground_rules import GroundRules

# Rules that a sentence names; if there are more, it has their number, too.
_MOST_RULES_IN_HINT = 3
# Conflicts of the search for two answers: some 0.1 s. Of 53 published variants, 50 take fewer, the others up to 3 s.
_MOST_CONFLICTS = 3000


_NO_ANSWER = Step(1, "end", "The board has no answer, so there is no next step.", status="none")


def hint(instance: InstanceLike, so_far: Answer | None = None, settings: Settings = DEFAULT) -> Step:
    """Return the next step of a board: a placement, an elimination that it depends on, or any if none is near.

    If what is filled in is wrong, the step is of the kind "mistake": its `eliminated` are the fewest entries to take
    back so that an answer is left. If nothing is left to find, or the board has no answer, the step is the "end".

    Args:
        instance: the board, or the name or the path of a file with one, such as "tectonic/seed".
        so_far: what is filled in already, besides the clues.
        settings: how to search.

    Raises:
        EncodingError: the encoding cannot be read or grounded.
        OutOfTime: time ran out before a step was found.
    """
    instance = load_only_board(instance, settings)
    refuse_settings(so_far, "hint", "an answer")
    if so_far is not None:
        check_review(instance, so_far, "so_far")
    step = next_hint(instance, so_far, settings)
    if step.timed_out:
        raise OutOfTime
    return step


def next_hint(instance: Instance, so_far: Answer | None = None, settings: Settings = DEFAULT) -> Step:
    """Return the same step as `hint`; if time ran out, an "end" with the status "unknown"."""
    settings = settings.started()
    if so_far is not None:
        mistake = _mistake(instance, so_far, settings)
        if mistake is not None:
            return mistake
    number = _answers_found(instance, settings)
    if not number:
        return _NO_ANSWER
    # Where there are several answers, an elimination that leads to no placement is no hint.
    step = next(explain_patiently(instance, so_far, settings, BRIEF if number < 2 else THOROUGH))
    if so_far is not None and instance.puzzle.kind.cells_left_over and is_complete_answer(instance, so_far, settings):
        picture = StepPicture(so_far.text, lambda words: so_far.drawing(title=words))
        step = Step(1, "end", THE_ANSWER, status="unique", display=StepDisplay(picture))
    if so_far is not None and step.kind == "end" and step.status == "unique":
        answers = solutions(instance, 2, settings)  # the steps started from what is filled in, not from the clues alone
        if len(list(answers)) > 1 or not answers.complete:
            return replace(step, words="The board is complete, and right. It may have other answers.", status="solved")
    return step


def _answers_found(instance: Instance, settings: Settings) -> int:
    """Return 0 if a board has no answer, and 2 if it has several; otherwise 1, also if that takes many conflicts."""
    if instance.puzzle.kind.method is not None:
        return 0 if unsolvable(instance, settings) else 1
    search = search_for_answers(instance, instance.puzzle.view(), settings)
    models, core = search.solve_here(search.assumed, 2, lambda _: True, most=_MOST_CONFLICTS)
    return max(1, len(models)) if core is None else 0


class _HintLevel(NamedTuple):
    """What a hint says if it is asked for more and more: `Level("Look at row 2.", ((2, 1), (2, 2)))`."""

    words: str
    """A sentence with its spans."""
    cells: tuple[Cell, ...]
    """The cells to look at; at first, all of a unit, so that they do not give away where something follows."""
    goal: tuple[Cell, ...] = ()
    """The cells in which something follows."""
    seen: tuple[Cell, ...] = ()
    """The cells whose numbers are the reasons."""


def hint_levels(instance: Instance, step: Step) -> list[_HintLevel]:
    """Return where to look, what is to be found there, and the step itself; of the end of a board, the step only."""
    meaning = step.display.meaning
    goal = tuple(dict.fromkeys(meaning[atom][0] for atom in (*step.placed, *step.eliminated) if atom in meaning))
    links = (spans.sentence(f"{number}. {marked_again(link)}") for number, link in enumerate(step.listed, 1))
    last = _HintLevel(spans.in_lines([step.words, *links]), step.cells or goal, goal, step.seen)
    places = listing(map(marked_cell, step.cells if step.kind == "mistake" else goal), "and")
    if step.kind == "mistake":
        wrong = _HintLevel(spans.sentence(f"What is filled in at {places} is wrong."), step.cells)
        return [_HintLevel("Something that is filled in is wrong.", ()), wrong, last]
    if not step.where:
        return [last]
    where, unit = _unit(instance, step, goal)
    if step.kind in {"peel", "free"}:
        what = "A ribbon can be taken off there."
    elif not goal:
        what = f"There is a {step.name}." if step.name else "Something follows there."
    elif step.placed:
        what = f"There is a {step.name} at {places}." if step.name else f"You can fill in {places}."
    else:
        what = f"Something can be ruled out at {places}."
    return [
        _HintLevel(where, unit),
        _HintLevel(spans.sentence(f"{marked_again(where)} {what}"), goal or unit, goal),
        last,
    ]


def _unit(instance: Instance, step: Step, goal: tuple[Cell, ...]) -> tuple[str, tuple[Cell, ...]]:
    """Return where to look, and its cells; if that gives the goal away, a unit, a few lines, or the board."""
    before = step.display.before.drawing(step.where) if step.display.before else None
    named = [cell for span in spans_of(step.where) for cell in span.cells]
    cells = tuple(dict.fromkeys([*(before.premises if before else ()), *named]))
    if not goal or not {*(named or cells)} <= {*goal}:
        return step.where, cells
    for name in (*(marked(*unit) for unit in step.display.units), lines_in_sentence(goal)):
        words = spans.sentence(f"Look at {name}.", instance.printed.unit)
        unit = tuple(cell for span in words.spans for cell in span.cells)
        if {*goal} < {*unit}:
            return words, unit
    return "Look at the whole board.", tuple(instance.cells)


def _mistake(instance: Instance, so_far: Answer, settings: Settings) -> Step | None:
    """Return the step that takes back the fewest entries so that an answer is left; None if no entry is wrong."""
    wrong, search = entries_to_take_back(instance, so_far, settings, so_far=True)
    if not search.exhausted:
        return Step(1, "end", OUT_OF_TIME, status="unknown", abandoned=search.abandoned)
    if wrong is None:
        return _NO_ANSWER
    if not wrong:
        return None
    why = hint_at_mistake(instance, so_far, wrong, settings, so_far=True)
    return Step(
        1,
        "mistake",
        why.words,
        why.rules,
        cells=tuple(sorted({cell for entry in wrong for cell in entry.cells})),
        eliminated=tuple(entry.atom for entry in wrong),
        display=StepDisplay(
            meaning={entry.atom: (entry.cells[0], entry.value) for entry in wrong if entry.value is not None}
        ),
    )


class _Mistake(NamedTuple):
    """Why entries are wrong."""

    words: str
    rules: tuple[Symbol, ...] = ()
    """A minimal set of rules and clues that contradicts the entries."""


def hint_at_mistake(
    instance: Instance, answer: Answer, wrong: Sequence[Entry], settings: Settings, *, so_far: bool = False
) -> _Mistake:
    """Return why wrong entries of an answer contradict the clues, or, if they do not by themselves, the other entries.

    `so_far` is as for `AnswerKind.entries`.
    """
    them, subject = ("them", "contradict") if len(wrong) > 1 else ("it", "contradicts")
    names = listing((entry.marked for entry in wrong), "and")
    unexplained = _Mistake(spans.sentence(f"Take back {names}: with {them} there is no answer."))
    try:
        board = ground_rules_of(instance, settings)
        if not board.search.usable:
            return unexplained
        literals = questions.output_literals(instance, board.search)
        possible = [entry for entry in wrong if all(atom in literals for atom in entry.holds)]
        if not possible:
            return _Mistake(
                spans.sentence(as_sentence(f"{names} {'are' if len(wrong) > 1 else 'is'} not possible there"))
            )
        assumed = [literal for entry in possible for literal in review_literals(entry, literals)]
        taken = {entry.atom for entry in wrong}
        entries = instance.puzzle.kind.entries(instance, answer, board.search, so_far=so_far)
        right = [entry for entry in entries if entry.atom not in taken and None not in entry.holds]
        others = [literal for entry in right for literal in review_literals(entry, literals)]
        rules = _core(board, assumed)
        alone = rules is not None
        if not alone:
            assumed = [*others, *assumed]
            rules = _core(board, assumed)
        if not rules:  # no core, or an empty one: the entries contradict a rule without a name
            return unexplained
        about = _Contradiction(board, instance, settings)
        by_method = instance.puzzle.kind.method is not None  # nothing is known of single cells
        reason = about.listed(rules, them) if by_method else about.words(possible, assumed, rules, them)
    except OutOfTime:
        return unexplained
    clues = "the rules" if not instance.puzzle.clues else "the clues" if alone else "the other entries"
    sentence = about.sentence(f"{names} {subject} {clues}: {reason}")
    return _Mistake(sentence, tuple(board.rules[rule].name for rule in rules))


def _core(ground: GroundRules, assumed: Sequence[int]) -> list[int] | None:
    """Return a minimal set of rules that contradicts the assumed literals; None if all rules can hold with them."""
    number = {rule.guard: i for i, rule in enumerate(ground.rules)}
    core = ground.search.refute(list(number), given=assumed)
    core = core and minimal_subset(core, lambda rest: ground.search.refute(rest, given=assumed))
    ground.search.check()
    return None if core is None else sorted(number[guard] for guard in core)


class _Contradiction:
    """What deduction says about wrong entries."""

    def __init__(self, ground: GroundRules, instance: Instance, settings: Settings) -> None:
        self._ground, self._instance, self._settings = ground, instance, settings
        self._words = Words(ground, instance, settings)
        self._deduction = Deduction(ground, settings.deadline().check)

    def sentence(self, text: str) -> str:
        """Return a marked text as a sentence."""
        return self._words.sentence(as_sentence(text))

    def words(self, wrong: Sequence[Entry], assumed: Sequence[int], rules: Sequence[int], them: str) -> str:
        """Return a reason: the clue in the way, or the contradiction of deduction, or contradicting rules."""
        atoms = {symbol: atom for atom, symbol in self._ground.symbols.items()}
        wrong_atoms = [atoms[atom] for entry in wrong for atom in entry.holds if atom is not None]
        entered = (literal for literal in assumed if literal > 0 and literal not in wrong_atoms)
        for atom in [*given_ground_atoms(self._ground, self._instance), *entered]:
            self._deduction.place([atom])
        for atom in wrong_atoms:
            if atom in self._deduction.excluded_by:
                rule, by = self._deduction.excluded_by[atom][0]
                if self._ground.cells[by] == self._ground.cells[atom]:
                    return f"{self._words.name(by)[0]} is there"
                [clause, *_] = ChosenReasons(self._words, {atom: self._deduction.excluded_by[atom]}, {}).clauses(
                    rule, "excludes"
                )
                it = "" if len(wrong) == 1 else f"{marked_cell(self._ground.cells[atom])}: "
                return f"{it}{clause.text()}"
        if len(rules) <= _MOST_RULES_IN_HINT:
            return self.listed(rules, them)
        core = self._ground.only(rules)
        end = _Contradiction(core, self._instance, self._settings).end(assumed) or self.end(assumed)
        return f"with {them}, {end}" if end else self.listed(rules, them)

    def end(self, assumed: Sequence[int]) -> str:
        """Return the contradiction that deduction by one or two rules finds; empty if there is none."""
        for literal in [*assumed, *given_ground_atoms(self._ground, self._instance)]:
            self._deduction.place([literal])
        taken = 0
        while (finding := self._deduction.smallest()) is not None and finding.conclusions:
            for literal in finding.conclusions:
                self._deduction.place([literal])
            taken += 1
        if finding is None or len(finding.rules) > 1:
            return ""
        end = "" if not taken else ". It takes one step to see" if taken == 1 else f". It takes {taken} steps to see"
        return f"{self._words.failing(finding.rules[0], self._deduction.known)}{end}"

    def listed(self, rules: Sequence[int], them: str) -> str:
        """Return rules that contradict each other, or some of them."""
        ordered = sorted((self._ground.rules[rule] for rule in rules), key=lambda rule: rule.clue)
        text = "; ".join(self._words.rules(ordered[:_MOST_RULES_IN_HINT]))
        if len(rules) <= _MOST_RULES_IN_HINT:
            return f"with {them}, this cannot hold: {text}"
        return f"with {them}, {len(rules)} rules and clues cannot hold together, such as: {text}"
