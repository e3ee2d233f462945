"""The wording of rules, clues, terms and entries, as marked texts; of rules that an answer breaks; and of instructions.

Broken    Broken('once(row(1),3)', ((1, 2), (1, 5)), 'row 1 holds 3 once'): a broken rule, and the cells that break it
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clingo.symbol import SymbolType

from pyasp_puzzles.asp.symbols import cell_of_symbols, symbol_arguments, symbol_integers, symbol_members, symbol_text
from pyasp_puzzles.boards import regions, spans
from pyasp_puzzles.boards.facts import fact_name, fact_text
from pyasp_puzzles.boards.grid import grid_tokens
from pyasp_puzzles.boards.spans import marked, marked_cell, marked_cells, marked_line, marked_value, unmarked
from pyasp_puzzles.errors import listing
from pyasp_puzzles.limits import Limits
from pyasp_puzzles.model.review import Broken
from pyasp_puzzles.puzzles.declaration import variants_of
from pyasp_puzzles.puzzles.questions import rule_comments
from pyasp_puzzles.render.text import color_name_in_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clingo import Symbol

    from pyasp_puzzles.asp.search import Search
    from pyasp_puzzles.asp.settings import Settings
    from pyasp_puzzles.asp.symbols import Arguments
    from pyasp_puzzles.boards.grid import Cell
    from pyasp_puzzles.model.keys import Key, KeyOutline
    from pyasp_puzzles.model.puzzle import Instance, Variant

# The files of a puzzle's folder with the words and the cells of its rules.
WORD_FILES = ("words", "cells")
# The predicates of these files.
WORD_PREDICATES = (("says", 2), ("wrong", 2), ("called", 2), ("about", 3))
BROKEN_OUTPUTS = ("broken/1", *(f"{name}/{arity}" for name, arity in WORD_PREDICATES))

_NOUNS = {"col": "column"}
# What people call the place of a label outside the board.
_SIDES = {"top": "above column", "bottom": "below column", "left": "left of row", "right": "right of row"}
# Numbers and letters that are spoken with a vowel first: "an 8".
_WITH_AN = frozenset({"8", "11", "18", *"AEFHILMNORSX"})


def phrase(parts: Symbol, called: Mapping[Symbol, Symbol], filled: Mapping[str, str] | None = None) -> str:
    """Return the text of a tuple of strings and terms, joined with blanks; cells and units in it are marked.

    Args:
        parts: the tuple. A nested pair is a list: `("w", ("b", ()))` becomes `wb`. `cell(1, 2)` becomes "row 1, column
            2", and another term with one argument its name and the argument. `each(2)` is listed with those of other
            texts, and `forms("holds", "hold")` has a form for a list.
        called: {term: what it is called}.
        filled: {constant: the text in its place}.
    """
    texts: list[str] = []
    pair: Sequence[Cell] = ()
    for text, name, cells, form, part in _parts(parts):
        if pair and cells and texts[-1] == "and":  # "row 1, columns 2 and 3"
            texts[-2:] = [marked_cells([*pair, *cells])]
            continue
        pair = cells or (pair if text == '"and"' else ())
        if form == "each":
            before, item = " ".join(texts), marked_value(of_term(part.arguments[0], called))
            if before == "a" or before.endswith(" a"):  # "a 4 and an 8"
                texts, item = [before.removesuffix("a").rstrip()], joined(["a", item])
            texts.append(spans.each(item))
        elif form == "forms":
            texts.append(spans.forms(*map(symbol_text, part.arguments)))
        else:
            other = of_term(part, called) if part in called or form else name
            texts.append((filled or {}).get(text) or other)
    return joined(filter(None, texts))


class _PhrasePart(NamedTuple):
    """A part of a phrase."""

    text: str
    """As clingo prints it."""
    words: str
    """What it is called by default."""
    cells: Sequence[Cell]
    form: str
    """The name of a term that is more than a name: "each", "forms" or "its"."""
    symbol: Symbol


@lru_cache(maxsize=Limits.MOST_SYMBOLS)
def _parts(parts: Symbol) -> tuple[_PhrasePart, ...]:
    """Return the parts of a tuple. Asking clingo for them takes half of the time of a phrase."""
    forms = ("each", 1), ("forms", 2), ("its", 1)
    return tuple(
        [
            _PhrasePart(
                str(part),
                of_term(part, {}),
                _cells_of(part),
                next((name for name, arity in forms if part.match(name, arity)), ""),
                part,
            )
            for part in symbol_members(parts)
        ]
    )


def joined(texts: Iterable[str]) -> str:
    """Return texts joined with blanks, but not before a comma, and with "an" before 8, 11, 18 and letters such as A."""
    parts: list[str] = []
    for part in texts:
        if parts and unmarked(part) in _WITH_AN and (parts[-1] == "a" or parts[-1].endswith(" a")):
            parts[-1] += "n"
        parts.append(part)
    return re.sub(r" *([;,:]) +", r"\1 ", " ".join(parts))


def of_term(symbol: Symbol, called: Mapping[Symbol, Symbol]) -> str:
    """Return what a term is called: "row 2" for `row(2)`, and "its row" for `its(row(2))`."""
    unit = symbol.type is SymbolType.Function and symbol.name and len(symbol.arguments) == 1
    if symbol in called:
        text = phrase(called[symbol], called)
        return marked(text, [_key(symbol, called)]) if unit else text
    if symbol.match("its", 1):
        return its_unit(symbol.arguments[0], called)
    if cells := _cells_of(symbol):
        return marked_cells(cells)
    if unit:
        return marked(f"{_noun(symbol)} {symbol_text(symbol.arguments[0])}", [_key(symbol, called)])
    items = []
    while symbol.type is SymbolType.Function and not symbol.name and len(symbol.arguments) == 2:
        head, symbol = symbol.arguments
        items.append(symbol_text(head))
    if not items:
        return symbol_text(symbol)
    return ("" if all(len(item) == 1 for item in items) else " ").join(items)


def _noun(unit: Symbol) -> str:
    return _NOUNS.get(unit.name, unit.name)


def _key(unit: Symbol, called: Mapping[Symbol, Symbol]) -> str:
    """Return the unit that a mark names: "row 2" for `row(2)`, unless this is called something else."""
    is_line = _noun(unit) in {"row", "column"} and unit not in called
    return f"{_noun(unit)} {unit.arguments[0]}" if is_line else str(unit)


def of_entry(value: str, noun: str = "") -> str:
    """Return what an entry is called: "the black cell"; if its word is a noun, "the tent" for "a tent"."""
    if value.startswith(("a ", "an ", "no ", "the ")):
        return value if value.startswith("no ") else f"the {value.partition(' ')[2]}"
    return f"the {value} {noun}".rstrip()


def cell_of_term(symbol: Symbol) -> Cell | None:
    """Return the cell that a term `cell(1, 2)` is; None if it is another term."""
    return cell_of_symbols(symbol.arguments) if symbol.match("cell", 2) else None


def _cells_of(symbol: Symbol) -> list[Cell]:
    """Return the cells that a term `cell(1, 2)` or `cells(1, 2, 1, 5)` is, the first and the last of a line."""
    if not symbol.match("cell", 2) and not symbol.match("cells", 4):
        return []
    numbers = symbol_integers(symbol.arguments)
    (r, c), (last_row, last_column) = numbers[:2], numbers[-2:]
    return [(row, column) for row in range(r, last_row + 1) for column in range(c, last_column + 1)]


def its_unit(unit: Symbol, called: Mapping[Symbol, Symbol]) -> str:
    """Return what a unit is called after a cell of it: "its row" for `row(2)`."""
    if unit not in called:
        return marked(f"its {_noun(unit)}", [_key(unit, called)])
    *front, _ = [of_term(part, called) for part in symbol_members(called[unit])]
    text = joined(["its", *front]) if front and front[0] not in {"a", "the"} else ""
    return marked(text, [_key(unit, called)]) if text else of_term(unit, called)


def unit_of_rule(rule: Symbol) -> Symbol | None:
    """Return the unit in the name of a rule: `row(2)` for `once(row(2), 3)`; None if there is none."""
    arguments = rule.arguments if rule.type is SymbolType.Function else []
    units = (
        argument
        for argument in arguments
        if argument.type is SymbolType.Function and argument.name and len(argument.arguments) == 1
    )
    return next(units, None)


def of_rule(rule: Symbol, board: Collection[Cell]) -> str:
    """Return the words for a rule that has none: its name, and the cells of the board in its arguments."""
    place = _place(rule, board)
    return f"{short(rule)} for {place}" if place else marked(f"the rule {rule}", rule=str(rule))


def of_comment(rule: Symbol, comments: Mapping[tuple[str, int], str], board: Collection[Cell]) -> str:
    """Return what the comment above a rule says, and where: "shaded cells do not touch (row 2)"; empty without one.

    Args:
        rule: the name of the rule.
        comments: as `questions.rule_comments` returns them.
        board: the cells of the board.
    """
    named = rule.type is SymbolType.Function
    comment = comments.get((rule.name, len(rule.arguments)), "") if named else ""
    place = _place(rule, board) if comment else ""
    return f"{comment} ({place})" if place else comment


def _place(rule: Symbol, board: Collection[Cell]) -> str:
    cells, unit = cells_of_rule(rule), unit_of_rule(rule)
    if unit is not None:
        return of_term(unit, {})
    return " and ".join(map(marked_cell, sorted(cells))) if cells.issubset(board) else ""


def short(rule: Symbol) -> str:
    """Return what a rule without words is called, whichever cells it is about: "the rule knight", "line 3 of my.lp"."""
    if is_nameless(rule):
        return marked(f"line {rule.arguments[1]} of {rule.arguments[0].string}", rule=str(rule))
    name = rule.name if rule.type is SymbolType.Function and rule.name else symbol_text(rule)
    return marked(f"the rule {name}", rule=str(rule))


def is_nameless(rule: Symbol) -> bool:
    """Return whether a rule is a constraint without a name: line("my.lp", 3), see `statements_with_names`."""
    named = rule.type is SymbolType.Function and rule.name == "line"
    return bool(named and rule.arguments and rule.arguments[0].type is SymbolType.String)


def of_clue(key: Key, arguments: Arguments) -> str:
    """Return what people call a clue, given the arguments of its fact: "the 3 above column 2"."""
    assert key.predicate is not None
    arguments = key.predicate.completed(arguments)
    shape, names, noun = key.predicate.arguments, [*map(fact_name, arguments)], key.fact.replace("_", " ")
    cells = [marked_cell((int(names[i]), int(names[i + 1]))) for i, way in enumerate(shape) if way == "row"]
    if key.kind.tool == "outside":
        where, _, noun = _SIDES.get(names[0], names[0]).rpartition(" ")
        return f"the {names[-1]} {where} {marked_line(f'{noun} {names[1]}')}"
    if key.kind.around:
        what = f"{noun} of {listing(dict.fromkeys(map(marked_cell, key.kind.around(arguments))), 'and')}"
        if key.kind.tool == "crossing":
            what = f"{names[-1]} in row {names[0]}, column {names[1]} of the corners"
        return f"the {what}"
    if not cells:
        clue, of = "clue " if key.kind.pictured else "", f" of {names[0]}" if key.option("of") else ""
        return f"the {noun} {clue}{names[-1]}{of}"
    if shape[0] == "number":
        name = names[0] if key.kind.tool == "groups" else f"from {cells[0]}"
        return marked(f"the {noun} {name}", [fact_text(key.fact, arguments[:1])])
    if shape[2:] == ("name", "number"):
        names[2:] = [f"{names[3]} pointing {names[2]}"]
    value = names[2 * len(cells) :][:1] or ["mark"][len(cells) - 1 :]
    thing = " ".join([noun, *value] if key.kind.pictured else value)
    if len(cells) == 2:
        return f"the {thing} between {cells[0]} and {cells[1]}"
    number = next((argument for argument in arguments[2:] if isinstance(argument, int)), None)
    where = "at" if key.kind.pictured and len(shape) > 2 else "in"
    return spans.renamed(f"the {thing} {where} {unmarked(cells[0])}", cells[0], value=number)


def clue_of_rule(instance: Instance, rule: Symbol) -> str:
    """Return what people call the clue that a rule makes hold: "the 3 in row 1, column 2"; empty if there is none."""
    name = str(rule).partition("(")[0]
    for key in instance.puzzle.clue_keys:
        if key.rule != name:
            continue
        arguments = symbol_arguments(rule)
        for clue in instance.facts.arguments(key.fact):
            other_way = key.cells == 2 and arguments[:4] == (*clue[2:4], *clue[:2])
            if clue[: len(arguments)] == arguments or other_way:
                return of_clue(key, clue)
    return ""


def word_atoms(search: Search) -> list[Symbol]:
    """Return the atoms of `WORD_FILES` in a search."""
    return [atom for name, arity in WORD_PREDICATES for atom in search.facts(name, arity)]


def possible_word_atoms(search: Search) -> list[Symbol]:
    """Return what `word_atoms` does, and all cells that a rule may be about, whatever the answer."""
    atoms_of = {name: search.atoms(name, arity) for name, arity in WORD_PREDICATES}
    return [
        atom for name, atoms in atoms_of.items() for atom, literal in atoms.items() if not literal or name == "about"
    ]


def distinct(rules: Iterable[Broken]) -> list[Broken]:
    """Return rules, without those that say the same about the same cells: a pair of cells is in two 2x2 squares."""
    distinct_rules: dict[tuple[object, ...], Broken] = {}
    for rule in rules:
        key = (rule.rule.partition("(")[0], rule.cells, rule.words) if len(rule.cells) != 1 else (rule,)
        distinct_rules.setdefault(key, rule)
    return list(distinct_rules.values())


def broken_rules(
    instance: Instance, atoms: Sequence[Symbol], settings: Settings, predicate: str = "broken"
) -> list[Broken]:
    """Return the rules in atoms of a predicate, sorted, given the atoms of `word_atoms` too.

    A rule without words is told by the comment above it in the rules in use, or else by its name.
    """
    by_name: dict[str, list[Symbol]] = {name: [] for name in (predicate, "called", "says", "wrong", "about")}
    for atom in atoms:
        if (name := atom.name) in by_name:
            by_name[name].append(atom)
    rules: dict[Symbol, set[Cell]] = {atom.arguments[0]: set() for atom in by_name[predicate]}
    called = {atom.arguments[0]: atom.arguments[1] for atom in by_name["called"]}
    sentences = [atom.arguments for atom in by_name["says"]]
    # What is wrong takes the place of what is demanded.
    told = [*sentences, *(atom.arguments for atom in by_name["wrong"])]
    says = {rule: phrase(parts, called) for rule, parts in told if rule in rules}
    named = {rule: cells_of_words(parts) for rule, parts in sentences}
    for rule, *cell in (atom.arguments for atom in by_name["about"]):
        if rule in rules:
            rules[rule].add(cell_of_symbols(cell))
    board, cells_of = instance.cells, instance.printed.unit
    words = {rule: says.get(rule) or clue_of_rule(instance, rule) for rule in rules}
    comments = {} if all(words.values()) else rule_comments(instance, settings)
    return [
        Broken(
            str(rule),
            tuple(sorted(cells or {cell for cell in named.get(rule) or cells_of_rule(rule) if cell in board})),
            spans.sentence(words[rule] or of_comment(rule, comments, board) or short(rule), cells_of),
        )
        for rule, cells in sorted(rules.items())
    ]


def cells_of_words(words: Symbol) -> set[Cell]:
    """Return the cells in the words of a sentence."""
    return {cell for part in symbol_members(words) for cell in _cells_of(part)}


def cells_of_rule(rule: Symbol) -> set[Cell]:
    """Return the cells in the arguments of a rule, if these are rows and columns in turn."""
    arguments = rule.arguments if rule.type is SymbolType.Function else []
    if len(arguments) % 2 or any(argument.type is not SymbolType.Number for argument in arguments):
        return set()
    numbers = [argument.number for argument in arguments]
    return set(zip(numbers[::2], numbers[1::2], strict=True))


def instructions(instance: Instance) -> str:
    """Return what to do with a board: the instructions of its puzzle and variants, and rules told only in words."""
    return " ".join(filter(None, [*instruction_sentences(instance), instance.details.get("rules", "")]))


def instruction_sentences(instance: Instance) -> list[str]:
    """Return the instructions of the puzzle of a board, and those of each of its variants.

    Of alternatives, the first that names only what the board has is chosen. A puzzle without instructions has its
    summary.
    """
    puzzle = instance.puzzle
    variants = variants_of(puzzle)
    instructions = _chosen(puzzle.instructions, _values(instance)) or _of_this_board(puzzle.summary, instance)
    return [instructions, *(variant_instructions(variants[name], instance) for name in instance.variants)]


def variant_instructions(variant: Variant, instance: Instance) -> str:
    """Return the instructions of a variant, for a board that has it or might have it."""
    values = {**_values(instance), **_clue_values(variant, instance)}
    return _chosen(variant.instructions, values) or _of_this_board(variant.summary, instance)


def _chosen(choices: Iterable[Iterable[str]], values: Mapping[str, str]) -> str:
    """Return instructions with values in place of their names in braces."""
    chosen = []
    for choice in choices:
        fitting = (sentence for sentence in choice if set(re.findall(r"\{([\w=]+)\}", sentence)) <= values.keys())
        chosen.append(re.sub(r"\{([\w=]+)\}", lambda match: values[match[1]], next(fitting, "")))
    return " ".join(filter(None, chosen))


def _values(instance: Instance) -> dict[str, str]:
    """Return the values for names in braces in instructions."""
    outline = instance.outline
    every = instance.puzzle.kind.numbers(outline)
    values = {"rows": str(outline.rows), "columns": str(outline.columns), "cells": str(len(outline.cells))}
    if every:
        # The rules of most puzzles are about numbers from 1 on, whatever else a cell may hold.
        numbers = outline.digits or range(1, every[-1] + 1)
        third = (len(numbers) + 1) // 3
        middle = len(numbers) - third
        parts = {"low": numbers[:third], "middle": numbers[third:middle], "high": numbers[middle:]}
        values |= {"smallest": str(numbers[0]), "largest": str(numbers[-1]), "half": str((len(numbers) + 1) // 2)}
        values |= {"numbers": _from(numbers)}
        values |= {name: listing(map(str, part)) for name, part in parts.items() if part}
        values |= {"short": ""} if len(numbers) > _smallest_unit(outline) else {}
    told = (key for key in instance.puzzle.keys if key.kind.tool in {"total", "pattern", "mark"})
    written = {name: value for key in told for name, value in key.kind.write(key, outline, {}).items()}
    values |= {name: _told(value, instance.extras.get("colors", {})) for name, value in written.items()}
    # {full=1} marks a sentence for boards with that number, {walls} one for boards with that key; they become nothing.
    has = {key.name: "" for key in instance.puzzle.keys if key.predicate and instance.facts.arguments(key.fact)}
    return has | values | {f"{name}={value}": "" for name, value in values.items()}


def _from(numbers: Sequence[int]) -> str:
    """Return numbers as a sentence has them after "from": "1 to 9", "the list 1, 2 and 4"."""
    low, high = numbers[0], numbers[-1]
    return f"{low} to {high}" if high - low == len(numbers) - 1 else f"the list {listing(map(str, numbers), 'and')}"


def _smallest_unit(outline: KeyOutline) -> int:
    """Return the number of cells of the smallest row, column or region."""
    keys = (key for key in outline.keys if key.kind.role == "regions")
    members = (cells for key in keys for cells in regions.cells(outline.values(key.fact)).values())
    return min([outline.rows, outline.columns, *map(len, members)])


def _told(value: object, colors: Mapping[str, str]) -> str:
    """Return the value of a key in a sentence: a number, a line of cells, or patterns, with the names of colors."""
    patterns = [grid_tokens(str(pattern)) for pattern in value] if isinstance(value, list) else []
    every = {token for pattern in patterns for token in pattern}
    texts = ("-".join(color_name_in_text(token, colors, every) for token in pattern) for pattern in patterns)
    return ", ".join(texts) if patterns else str(value)


def _clue_values(variant: Variant, instance: Instance) -> dict[str, str]:
    """Return {"value": "4"} if all clues of a variant have that number, {"values": "4 or 6"} if only some have one."""
    keys = {key.name for key in variant.keys}
    outline = instance.outline
    layers = (key.kind.draw(key, outline) for key in instance.puzzle.keys if key.name in keys)
    texts = {figure.text for layer in layers for figure in layer.figures}
    numbers = sorted(filter(None, texts), key=lambda text: (len(text), text))
    if not numbers:
        return {}
    return {"value": numbers[0]} if len(texts) == 1 else {"values": listing(numbers)}


def _of_this_board(summary: str, instance: Instance) -> str:
    """Return a summary with the numbers of a board in place of n; where n is not its size, "1 to n" for "1..n"."""
    n = str(instance.outline.rows) if instance.puzzle.square else "n"
    text = re.sub(r"\bn x n\b", f"{n} x {n}", summary)
    return re.sub(r"\b1\.\.n\b", f"1 to {n}", text)
