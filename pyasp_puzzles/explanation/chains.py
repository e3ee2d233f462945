"""Chains: proofs that refute a supposition, inference by inference; and their sentences.

Chain        the inferences, each after those that it depends on; the last one is the contradiction
Part         a part of the sentence: a value that would follow, with the rules that force it
StatedLinks  the links of a step, and whether they are listed below its sentence

"If row 2, column 3 were 1, row 2, column 7 would be 9 (row 2, box 3), so ...": a sentence names the values that would
follow, and the rules that force them. What these values rule out in between is only in `Step.links`. Where cells have
two values, the sentence states each link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clingo import Function

from pyasp_puzzles.boards import spans
from pyasp_puzzles.boards.grid import cell_place, grouped
from pyasp_puzzles.boards.spans import marked, marked_cells, unmarked
from pyasp_puzzles.errors import first_listed
from pyasp_puzzles.explanation.groups import minimal_needs
from pyasp_puzzles.explanation.levels import KnownLevels, LevelInference, Levels, level_parts
from pyasp_puzzles.explanation.sentences import Contradiction, cannot
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.step import link_support
from pyasp_puzzles.puzzles import wording
from pyasp_puzzles.queries.formulas import known_literals

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.explanation.global_rules import Cut, GlobalRule
    from pyasp_puzzles.explanation.sentences import Sentences
    from pyasp_puzzles.model.step import StepLink
    from pyasp_puzzles.queries.ground_rules import GroundRules
    from pyasp_puzzles.queries.words import Words

# -- Chain ---------------------------------------------------------------------------------------------------------


class Chain(NamedTuple):
    """The proof that refutes a supposition."""

    supposed: int | None
    """The literal that is supposed; None if the rules contradict known atoms without it."""
    inferences: list[LevelInference]
    known: dict[int, bool]
    """{atom: whether it holds}, of known and derived atoms."""
    cut: Cut | None = None
    """What would be cut off, if the contradiction is that of a rule about a graph."""

    @property
    def verb(self) -> str:
        """What the verb of its sentence is instead of "is"; empty if nothing is supposed."""
        return "" if self.supposed is None else "would be"


class StatedLinks(NamedTuple):
    """The links of a step: those of a proof that refutes a supposition, or those of a pattern."""

    links: tuple[StepLink, ...]
    known: Mapping[int, bool]
    """The atoms that they are about."""
    listed: bool = True
    """Whether they are listed below the sentence, which states the end alone."""
    cut: Cut | None = None
    """What would be cut off."""


def chain(
    ground: GroundRules,
    global_rules: Mapping[int, GlobalRule],
    rules: Sequence[int],
    known: Mapping[int, bool],
    supposed: int | None,
    *,
    board: Mapping[int, bool],
) -> Chain | None:
    """Return the proof by which rules refute a literal; None if they do not, or if time ran out.

    Where single rules force nothing more, the chain ends with all rules that contradict each other then.

    Args:
        ground: the rules of the board.
        global_rules: {index: the rule} of the global rules.
        rules: the rules, by index.
        known: the known atoms that the rules need.
        supposed: the literal; None if the rules contradict known atoms without it.
        board: all known atoms of the board.
    """
    levels = Levels(KnownLevels(ground.once(level_parts), known), rules, supposed, global_rules)
    end = _propagated(levels) or _together(ground, rules, levels)
    return None if end is None else _chain_to(levels, supposed, end, global_rules, board)


def _propagated(levels: Levels) -> tuple[list[int], list[int]] | None:
    """Propagate single rules; return one that contradicts, and the atoms it needs; None if none does."""
    before = -1
    while len(levels.inferences) > before:
        before = len(levels.inferences)
        if failing := levels.next():
            return min((([rule], levels.reasons(rule, None)) for rule in failing), key=lambda end: len(end[1]))
    return None


def _chain_to(
    levels: Levels,
    supposed: int | None,
    end: tuple[list[int], list[int]],
    global_rules: Mapping[int, GlobalRule],
    board: Mapping[int, bool],
) -> Chain:
    """Return the chain that leads to an end."""
    inferences = _ordered(levels, end)
    then, source = levels.then, levels.source
    used = {abs(literal) for inference in inferences for literal in inference.literals} | {abs(supposed or 0)}
    stated = {atom: holds for atom, holds in then.items() if atom not in source or atom in used}
    last = [
        global_rules[rule] for rule in inferences[-1].rules[:1] if rule in global_rules
    ]  # none if the end has no name
    return Chain(supposed, inferences, then, last[0].cut(stated, board) if last else None)


def _together(ground: GroundRules, rules: Sequence[int], levels: Levels) -> tuple[list[int], list[int]] | None:
    """Return a minimal set of rules and derived atoms, the earliest, that contradict each other.

    None if there is none, or if it takes too many conflicts: of a diagonal and two X-sums, one question took 15 s.
    """
    then, source = levels.then, levels.source
    guards = {ground.rules[rule].guard: rule for rule in rules}
    given = [atom if then[atom] else -atom for atom in then if atom not in source]
    derived = {(-source[atom], atom): [atom if then[atom] else -atom] for atom in source}
    for search in ground.search_of(rules), ground.search:  # some depend on one without a name

        def refute(literals: list[int]) -> list[int] | None:
            return search.refute([*given, *literals], Limits.MOST_CONFLICTS_OF_STEP)  # noqa: B023 (used within the loop)

        needed = minimal_needs(refute, guards, derived, None)
        if needed is not None:
            return [*needed[0]], [atom for _, atom in needed[1]]
    return None


def _ordered(levels: Levels, end: tuple[list[int], list[int]]) -> list[LevelInference]:
    """Return the inferences that the end needs, with the literals used, each soon after those that it depends on."""
    used: dict[int, set[int]] = {}
    last = len(levels.inferences) + 1
    rests_on = {last: levels.use(end[1], used)}
    rests_on |= levels.traced(used)
    sizes: dict[int, int] = {0: 0}
    for link in sorted(rests_on):
        sizes[link] = 1 + sum(sizes[other] for other in rests_on[link])
    order: dict[int, int] = {0: 0}
    waiting = [last]
    while waiting:
        link = waiting[-1]
        open_ones = [other for other in rests_on[link] if other not in order]
        if link in order or not open_ones:
            waiting.pop()
            order.setdefault(link, len(order))
        else:
            waiting.append(max(open_ones, key=lambda other: (sizes[other], -other)))
    inferences = []
    for link in list(order)[1:]:
        rules = tuple(sorted(end[0])) if link == last else levels.inferences[link - 1].rules
        rests = tuple(sorted(order[other] for other in rests_on[link]))
        inferences.append(LevelInference(rules, () if link == last else tuple(sorted(used[link])), rests))
    return inferences


# -- The words of the links of a chain -----------------------------------------------------------------------------

# Of more links than this, the sentence of a chain states only the end, and the links are listed.
_MOST_LINKS_STATED = 8
# Of more cells that are cut off, a sentence names those that have to be reached, or counts them.
_MOST_CUT_OFF = 8


class _Part(NamedTuple):
    """One part of a sentence."""

    number: int
    """The inference that it states, counted from 1."""
    rules: list[int]
    """The rules that force it, by index."""
    rests_on: set[int]
    """The numbers of the parts that it needs; 0 is the supposition."""


class LinkWords:
    """The words of the chains of one board.

    Args:
        sentences: the sentences of the board.
        words: its words.
        two_valued: whether sentences name eliminations, too: each decides its cell.
        global_rules: {index: the rule} of the global rules.
    """

    def __init__(
        self, sentences: Sentences, words: Words, *, two_valued: bool, global_rules: Mapping[int, GlobalRule]
    ) -> None:
        self._sentences, self._words, self._ground = sentences, words, words.ground
        self._two_valued, self._global_rules = two_valued, global_rules
        self._granted = sentences.granted

    def sentence(
        self, chain: Chain, known: Mapping[int, bool], others: Sequence[int] = (), name: str = ""
    ) -> tuple[str, StatedLinks]:
        """Return the sentence of a chain, and its links, `listed` if they are many or their sentence long.

        Args:
            chain: the chain.
            known: the atoms known without the supposition.
            others: further conclusions of the step.
            name: the name of the step; may be empty.
        """
        supposed = () if chain.supposed is None else (chain.supposed,)

        def shorter() -> Iterator[tuple[str, bool]]:
            if len(chain.inferences) <= _MOST_LINKS_STATED:
                yield from ((follows, False) for follows in self._stated(chain, known))
            for end in self._ends(chain, known, supposed):
                yield f"{'in the end ' if supposed else ''}{end.text(chain.verb)}", True

        text, listed = "", True
        for follows, listed in shorter():  # noqa: B007 (the last one counts)
            text = self._worded(chain, follows, others, name)
            if spans.longest_sentence(text) <= Limits.LONGEST_STEP:
                break
        return text, StatedLinks(self._links(chain, known), chain.known, listed, chain.cut)

    def _worded(self, chain: Chain, follows: str, others: Sequence[int], name: str) -> str:
        """Return the sentence of a chain, given the words for what follows from its supposition."""
        if chain.supposed is None:
            text = f"{follows}, so there is no answer."
        else:
            supposed = self._sentences.conclusions([chain.supposed], "were")
            concluded = self._sentences.conclusions([-chain.supposed])
            left = Limits.LONGEST_STEP - spans.length(f"So {concluded}; in the same way, .")
            also = f"; in the same way, {self._sentences.conclusions(others, longest=left)}" if others else ""
            then = "then " if unmarked(follows)[:1].isdigit() else ""  # after "were 1", "2 and 3" would read on
            text = f"if {supposed}, {then}{spans.with_it(supposed, follows)}. So {concluded}{also}."
        return spans.capitalized(f"{name}: {text}" if name else text)

    def _broken(self, chain: Chain) -> tuple[str, Sequence[int]]:
        """Return what fails of the rules at the end of a chain if the others hold, and the others; or nothing, and all.

        The rules are a minimal set, so any of them may be said to fail: the most of one name that have words, or else a
        global rule.
        """
        rules, would = self._demanding(chain.inferences[-1].rules), chain.supposed is not None
        names = {rule: self._ground.rules[rule].name for rule in rules}
        breaks, fails = self._words.of("breaks"), self._words.of("fails")
        alike = grouped((breaks[names[rule]], rule) for rule in rules if would and names[rule] in breaks)
        rules_of = {self._words.broken(group[0]): group for group in alike.values()}
        for name, group in grouped((Function(names[rule].name), rule) for rule in rules).items():
            if len(group) > 1 and name in fails:
                cells = set().union(*(wording.cells_of_rule(names[rule]) for rule in group))
                rules_of[self._words.fails(name, cells, would=would)] = group
        text = max(
            rules_of, key=lambda text: (len(rules_of[text]), rules_of[text][0] in self._global_rules), default=""
        )
        return text, [rule for rule in rules if rule not in rules_of.get(text, ())]

    def _links(self, chain: Chain, known: Mapping[int, bool]) -> tuple[StepLink, ...]:
        """Return the links of a chain, the supposition first."""
        board, verb = self._ground, chain.verb
        supposed = () if chain.supposed is None else (chain.supposed,)
        suppose = f"suppose that {self._sentences.conclusions(supposed)}" if supposed else "by what is known"
        links = [self._words.link(suppose, (), supposed)]
        follows: list[tuple[int, ...]] = [supposed]
        for rules, literals, rests_on in chain.inferences[:-1]:
            before = {abs(literal): literal > 0 for number in (0, *rests_on) for literal in follows[number]}
            room = _room(rests_on, len(links))
            follows.append(literals)
            why = self._why(rules[0], literals, chain, {**known, **before})
            text = f"{self._sentences.conclusions(literals, verb, longest=room - spans.length(why))}{why}"
            links.append(self._words.link(text, rules, literals, rests_on))
        rules, _, rests_on = chain.inferences[-1]
        end = next(self._ends(chain, known, ()))
        text, room = end.text(verb), _room(rests_on, len(links))
        if spans.length(text) > room:
            text = end._replace(facts=[]).text(verb)
        if spans.length(text) > room and len(rules) > 1:
            broken, others = self._broken(chain)
            demands = self._demands(others, chain, room=Limits.LONGEST_STEP - 1)
            rests_on = (*rests_on, *range(len(links), len(links) + len(demands)))
            links += [self._words.link(text, demanding, ()) for text, demanding in demands.items()]
            text = broken or f"these {cannot(verb)} all hold"
        every = (board.cells[atom] for rule in rules for atom in board.rules[rule].atoms)
        about = frozenset(every) if chain.cut is None else chain.cut.cells
        last = self._words.link(text, rules, (), rests_on)
        return (*links, last._replace(cells=tuple(sorted(about))))

    def _demands(self, rules: Iterable[int], chain: Chain, room: int) -> dict[str, list[int]]:
        """Return {what rules demand: the rules}; those of one name together, if they fit into `room` characters."""
        demands: dict[str, list[int]] = {}
        for group in grouped((self._ground.rules[rule].name.name, rule) for rule in rules).values():
            text = "; ".join(self._sentences.merged_clauses(group, chain.known))
            alone = grouped((self._sentences.clause(rule, chain.known)[0], rule) for rule in group)
            demands |= {text: group} if spans.length(text) <= room else alone
        return demands

    def tells_more(self, chain: Chain, rules: Sequence[int], known: Mapping[int, bool]) -> bool:
        """Return whether a chain says more than rules: it has many, names values, or leaves nothing for one."""
        few = len(("one", "another")) if len(chain.inferences) == 1 else 1
        if len(self._demanding(rules)) > few or any(map(self._named, chain.inferences)):
            return True
        return len(chain.inferences[-1].rules) == 1 and not next(self._ends(chain, known, ())).facts

    def _demanding(self, rules: Sequence[int]) -> Sequence[int]:
        """Return rules without one-value rules, unless there are no others."""
        return [rule for rule in rules if rule not in self._granted] or rules

    def _why(self, rule: int, literals: Sequence[int], chain: Chain, before: Mapping[int, bool]) -> str:
        """Return why a rule forces literals, given those before, to follow them: ", the only place left in row 2"."""
        others = self._ground.rules[rule].atoms.difference(map(abs, literals))
        if len(literals) == 1 and literals[0] > 0 and not any(chain.known.get(atom, True) for atom in others):
            if rule in self._granted and isinstance(self._ground.values[literals[0]], int):
                return ", the only number left there"
            if unit := self._sentences.unit_of_value(rule):
                return f", the only place left in {unit}"
        holding = [atom for atom in self._ground.rules[rule].atoms if chain.known.get(atom) and atom not in literals]
        if rule in self._granted and len(holding) == 1:
            return f", as it {chain.verb or 'is'} {self._words.name(holding[0])[0]}"
        if rule in self._global_rules and len(literals) == 1:
            cut = self._global_rules[rule].cut({**before, abs(literals[0]): literals[0] < 0}, {})
            if cut is not None:
                return f", or {marked(self._cut_off(cut, 'would be'), rule=str(self._ground.rules[rule].name))}"
        return f": {spans.with_it(self._sentences.conclusions(literals, chain.verb), self._words.quoted(rule))}"

    def _named(self, inference: LevelInference) -> list[int]:
        """Return the literals of an inference that a sentence names: values, and not what they rule out."""
        return [literal for literal in inference.literals if literal > 0 or self._two_valued]

    def _parts(self, chain: Chain) -> list[_Part]:
        """Return the parts of a sentence: the last one is the end."""
        last = len(chain.inferences)
        numbers = [
            number for number, inference in enumerate(chain.inferences, 1) if number == last or self._named(inference)
        ]
        into: dict[int, int] = {}
        for number in range(last, 0, -1):
            first = next((i for i, inference in enumerate(chain.inferences, 1) if number in inference.rests_on), last)
            into[number] = number if number in numbers else into[first]

        def parts_below(number: int) -> set[int]:
            below = chain.inferences[number - 1].rests_on
            return {part for link in below for part in ({link} if link in {0, *numbers} else parts_below(link))}

        return [
            _Part(
                number,
                [
                    rule
                    for i, inference in enumerate(chain.inferences, 1)
                    if into[i] == number
                    for rule in inference.rules
                ],
                parts_below(number),
            )
            for number in numbers
        ]

    def _stated(self, chain: Chain, known: Mapping[int, bool]) -> Iterator[str]:
        """Yield the links of a chain and its end, with what is known; and without that, if it still makes sense."""
        before, facts = self._before_end(chain), known_literals(known)
        end_rules, part = chain.inferences[-1].rules, self._parts(chain)[-1]
        by = self._sentences.by([rule for rule in part.rules if rule not in end_rules])
        stated = {literal for inference in chain.inferences[:-1] for literal in self._named(inference)}
        stated = {*(stated if before else ()), *([] if chain.supposed is None else [chain.supposed])}
        for said in stated, stated.union(facts):
            end = next(self._ends(chain, known, said, stated=True))
            if said is not stated and end.but:
                return
            if not before:
                yield end.text(chain.verb, by)
            elif not end.facts:
                yield f"{before}, {'but' if end.but else 'so'} {end.fails}{by}"
            else:
                follows = end.follows and part.rests_on - {0}
                yield f"{before}, {'so' if follows else 'and'} {end.text(chain.verb, by)}"

    def _before_end(self, chain: Chain) -> str:
        """Return the parts of a chain before its end, in words."""
        text, before = "", 0
        for number, rules, rests_on in self._parts(chain)[:-1]:
            clause = self._sentences.conclusions(self._named(chain.inferences[number - 1]), chain.verb)
            link = ", so " if text and before in rests_on else ", and " if text else ""
            if text and before not in rests_on:
                earlier = [literal for index in rests_on - {0} for literal in self._named(chain.inferences[index - 1])]
                link = f"; and as {self._sentences.conclusions(earlier, chain.verb)}, " if earlier else link
            text += f"{link}{clause}{self._sentences.by(rules)}"
            before = number
        return text

    def _ends(
        self, chain: Chain, known: Mapping[int, bool], said: Collection[int], *, stated: bool = False
    ) -> Iterator[Contradiction]:
        """Yield what fails at the end of a chain, without what is said already; then the same in fewer words.

        If several rules fail together, what they fail by is added where the other links are `stated`, not listed.
        """
        rules, verb = chain.inferences[-1].rules, chain.verb
        facts = known_literals(known)
        if chain.cut is not None:
            cut = self._cut_off(chain.cut, verb)
            full = spans.fitting([f"{cut}{self._around(chain.cut, known)}", cut], Limits.LONGEST_SENTENCE)
            end = Contradiction([full], spans.with_it(cut, self._words.quoted(rules[0])), but=True)
            yield end
            yield end._replace(facts=[cut])
            yield Contradiction([], cut)
        elif len(rules) == 1:
            end = self._sentences.breaks(rules[0], chain.known, known, said, verb)
            yield end
            yield end._replace(facts=[])
        elif not rules:  # a choice excludes it
            would = "this would contradict" if verb else "this contradicts"
            yield Contradiction([], f"{would} what is known: {self._sentences.conclusions(facts)}")
            yield Contradiction([], f"{would} the choices")
        else:
            yield from self._ends_of_several(chain, said, stated=stated)

    def _ends_of_several(self, chain: Chain, said: Collection[int], *, stated: bool) -> Iterator[Contradiction]:
        """Yield that the rules at the end of a chain contradict each other, given what follows by links."""
        filled = {self._ground.cells[atom] for atom, holds in chain.known.items() if holds and not self._two_valued}
        rests_on = [number for number in chain.inferences[-1].rests_on if number] if stated else []
        derived = [
            literal
            for number in rests_on
            for literal in chain.inferences[number - 1].literals
            # Eliminations in a cell with a value are left out.
            if literal not in said and (literal > 0 or self._ground.cells[-literal] not in filled)
        ]
        facts = [self._sentences.conclusions(derived, chain.verb)] if derived else []
        broken, others = self._broken(chain)
        clauses = self._sentences.merged_clauses(others, chain.known)
        if broken:
            yield Contradiction(facts, f"{broken}: {'; '.join(clauses)}" if clauses else broken)
            yield Contradiction(facts, broken)
        elif len(clauses) == 1:
            yield Contradiction(facts, clauses[0], but=True)
        for most in range(len(clauses), 1, -1) if not broken else ():
            listed = "; ".join(first_listed(clauses, most, "other rules"))
            yield Contradiction(facts, f"these {cannot(chain.verb)} all hold: {listed}")

    def _around(self, cut: Cut, known: Mapping[int, bool]) -> str:
        """Return what is known around a part that is cut off, in parentheses."""
        said = cut.others | (cut.needed if len(cut.cells) > _MOST_CUT_OFF or cut.cells == cut.needed else set())
        facts = [atom if known[atom] else -atom for atom in sorted(known) if self._ground.cells[atom] not in said]
        return f" ({self._sentences.conclusions(facts)})" if facts else ""

    def _cut_off(self, cut: Cut, verb: str) -> str:
        """Return what is cut off: "row 1, column 2 would be cut off"."""
        predicate, cells, needed, others, is_loop = cut
        named = cells if len(cells) <= _MOST_CUT_OFF else needed
        part = marked_cells(named)
        if len(named) > _MOST_CUT_OFF:
            part = marked(f"{cell_place(min(named))} and {len(named) - 1} others", sorted(named))
        fails = self._words.of("fails").get(Function(predicate))
        if is_loop:
            return f"a loop through {part} {verb or 'is'} closed"
        verb = verb or ("is" if len(named) == 1 else "are")
        if fails is not None:
            return f"{part} {verb} {wording.phrase(fails, self._words.called)}"
        return f"{part} {verb} cut off{'' if needed else f' from {marked_cells(others)}'}"


def _room(rests_on: Sequence[int], number: int) -> int:
    """Return the most characters of a link, given its number and the links that it depends on, which it names."""
    return Limits.LONGEST_STEP - len(f"{link_support(rests_on, number)}.")
