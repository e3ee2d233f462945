"""The sentences of the steps of an explanation: by their names, as chains, or as what their rules demand."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pyasp_puzzles.boards.spans import marked, marked_again, marked_cell, unmarked, unmarked_length
from pyasp_puzzles.explanation.chains import chain
from pyasp_puzzles.explanation.links import LinkWords
from pyasp_puzzles.explanation.named import NamedLinks, NamedSteps
from pyasp_puzzles.explanation.reasons import reason_clause
from pyasp_puzzles.explanation.sentences import article_in_sentence, as_sentence
from pyasp_puzzles.explanation.wholes import wholes
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.puzzles.wording import phrase_wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyasp_puzzles.explanation.chains import Chain
    from pyasp_puzzles.explanation.patterns import Pattern
    from pyasp_puzzles.explanation.reasons import ChosenReasons
    from pyasp_puzzles.explanation.sentences import Sentences
    from pyasp_puzzles.explanation.words import Words
    from pyasp_puzzles.model.step import StepLink


# Numbers of a cell that are told case by case; of more, what refutes the opposite is told if that takes one sentence.
_MOST_NUMBERS_LISTED = 3


class StepSentences:
    """The sentences for the steps of one board, put together from those about its rules."""

    def __init__(self, sentences: Sentences, words: Words, *, two_valued: bool) -> None:
        self._sentences, self._words, self._ground = sentences, words, words.ground
        self._named = NamedSteps(sentences, words)
        # The searches that find the steps are not asked: their answers depend on earlier questions, so a grade, which
        # is found without sentences, could differ from the steps.
        self._wholes = wholes(words.ground)
        self._chains = LinkWords(sentences, words, two_valued=two_valued, wholes=self._wholes)

    def step(
        self,
        rules: Sequence[int],
        known: Mapping[int, bool],
        conclusions: Sequence[int],
        chosen: ChosenReasons,
        pattern: Pattern,
        *,
        board: Mapping[int, bool],
    ) -> tuple[str, Chain | NamedLinks | None]:
        """Return the sentence of a step, and its links: how the opposite of its first conclusion is refuted, or others.

        Args:
            rules: the rules, by their numbers.
            known: the known atoms of these rules that the step needs.
            conclusions: the literals that follow; none if the rules cannot hold together.
            chosen: why candidates are ruled out; the reasons for the sentence are chosen from it.
            pattern: what people call such a step, and why.
            board: all that was known before.
        """
        whys, name = {rule: chosen.clauses(rule) for rule in rules}, pattern.name
        needs = self._sentences.needs(rules, conclusions)
        if needs is not None:
            rule, words = needs
            [atom] = conclusions
            filled = {"here": marked_cell(self._ground.cells[atom]), "this": self._words.name(atom)[0]}
            text = phrase_wording(words, self._words.called, filled) + (
                f", {article_in_sentence(name)}" if name else ""
            )
            return as_sentence(text + reason_clause(whys[rule], Limits.LONGEST_SENTENCE - unmarked_length(text))), None
        told, listed = self._named.sentence(pattern, rules, known, conclusions, whys)
        numbers = len(pattern.cases.cases) if pattern.cases and pattern.cases.rule in self._sentences.granted else 0
        if told and numbers <= _MOST_NUMBERS_LISTED:
            return as_sentence(told), listed
        refuted = self._refuted(rules, known, conclusions, board)
        text, links = self._chains.told(refuted, known, conclusions[1:], name) if refuted is not None else ("", None)
        if told and (links is None or links.listed):
            return as_sentence(told), listed
        if text:
            return text, links
        if conclusions:
            return self._sentences.listing(rules, known, conclusions, whys, name), None
        return self._sentences.failing(rules, known, whys), None

    def _refuted(
        self, rules: Sequence[int], known: Mapping[int, bool], conclusions: Sequence[int], board: Mapping[int, bool]
    ) -> Chain | None:
        """Return how the opposite of the first conclusion is refuted, if the sentence of a step is to say so."""
        if not rules or (len(rules) == 1 and rules[0] not in self._wholes):
            return None
        supposed = -conclusions[0] if conclusions else None
        found = chain(self._ground, self._wholes, rules, known, supposed, board=board)
        if found is None or (len(rules) == 1 and not found.cut):
            return None
        return found if found.cut or self._chains.is_plain(found, rules, known) else None

    def links(self, told: Chain | NamedLinks | None, known: Mapping[int, bool]) -> tuple[StepLink, ...]:
        """Return the links of a step, if there are some."""
        if told is None:
            return ()
        return told.links if isinstance(told, NamedLinks) else self._chains.links(told, known)

    def why(
        self,
        known: Mapping[int, bool],
        chosen: ChosenReasons,
        steps: Mapping[int, int],
        told: Chain | NamedLinks | None,
    ) -> Iterator[str]:
        """Yield as lines what follows in turn from the supposition, and what rules out each candidate."""
        board = self._ground
        if told is not None and not told.listed:
            yield from (marked_again(link.words) for link in self.links(told, known)[1:])

        def reason(atom: int) -> str:
            if known[atom] or atom not in chosen.by:
                return f"by step {steps[atom]}" if atom in steps else ""
            rule, by = chosen.by[atom]
            if board.cells[by] == board.cells[atom]:
                return f"{self._words.name(by)[0]} is there"
            said = marked(self._words.rule(board.rules[rule]), rule=str(board.rules[rule].name))
            return f"{self._words.entry(by)}; {said}"

        atoms = sorted(known, key=lambda atom: (not known[atom], unmarked(reason(atom)), board.cells[atom]))
        for text, group in groupby(atoms, key=reason):
            literals = [atom if known[atom] else -atom for atom in group]
            yield as_sentence(f"{self._sentences.conclusions(literals)}{': ' if text else ''}{text}")
