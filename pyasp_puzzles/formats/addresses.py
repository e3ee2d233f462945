"""The format of a text, and the addresses of boards in it: in a sentence, Markdown, HTML, or a list with titles.

_Listed  (3, ["https://puzz.link/p?sudoku/..."], "A title"): the number of a line, its board, and what follows that;
         punctuation after a board may be part of it: ["https://puzz.link/p?akari/2/2/i", ".../i."], the shortest first
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from pyasp_puzzles.errors import InstanceError, Where, first_listed, listing, shown
from pyasp_puzzles.formats.format import COPY_WHOLE, Format, content_lines, format_of_line, formats
from pyasp_puzzles.formats.json import parse_json
from pyasp_puzzles.formats.lists import are_lines, fault_in_rows, is_title_row
from pyasp_puzzles.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

_Listed: TypeAlias = "tuple[int, list[str], str]"
# What other addresses look like, and what they are.
_KNOWN = {
    r"(?:tinyurl\.com|bit\.ly|t\.co|goo\.gl|is\.gd)/": "a short link, which needs its server, and pyasp stays "
    "offline: open it in a browser, and copy the long address",
    r"lisudoku\.xyz/": "Lisudoku, whose format pyasp does not read; it exports to f-puzzles and to a line of digits",
    r"pzprv3(?:[./]|\s)": "a file of pzprjs, which pyasp does not read; it reads the address of the puzzle",
    r"\S*(?:penpa-edit|#m=(?:edit|solve)$)": f"a link of Penpa+ that is cut: {COPY_WHOLE}",
    r"<": "a page or a file in XML, which pyasp does not read",
    r"kanpen\.net/": "Kanpen, whose format pyasp does not read; puzz.link imports it",
}
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_HOST = re.compile(r"(?:https?://)?(?:[a-z0-9-]+\.)+[a-z]+(?::\d+)?(?=[/?#])", re.IGNORECASE)
# The start of a string of Interactive Sudoku Solver, and what may be before each further constraint.
_CONSTRAINT, _BEFORE = re.compile(r"\s*\.[A-Za-z~]"), re.compile(r"\s+(?=\.[A-Za-z~])")
_PAIRS = {")": "(", "]": "[", "}": "{", "*": "*", "_": "_", "'": "'"}


def _addresses(words: str) -> dict[str, list[str]]:
    """Return what looks like an address in some words, each with a lower-case host, and as it may end.

    The first ending is the address itself; the others have more and more of the punctuation after it.
    """
    # Words are separated by what Markdown and HTML have around an address, too.
    found = (_cleaned(word) for word in re.split(r"""[\s<>"`]+|\]\(""", words) if "/" in word)
    return {
        address: [address + after[:i] for i in range(len(after) + 1)]
        for address, after in found
        if _HOST.match(address)
    }


def _cleaned(word: str) -> tuple[str, str]:
    """Return a word without what is written before and after addresses, and the punctuation right after it."""
    scheme = _SCHEME.search(word)
    before = word[: scheme.start()] if scheme else word[: len(word) - len(word.lstrip("([{*_'"))]
    address, after = word[len(before) :].replace("&amp;", "&"), ""
    for last in reversed(address[-20:]):
        opening = _PAIRS.get(last)
        if opening and (opening in before if opening == last else address.count(last) > address.count(opening)):
            before, after = before.replace(opening, "", 1), ""
        elif last not in ".,;:!?":
            break
        else:
            after = last + after
        address = address[:-1]
    host = _HOST.match(address)  # a search would take seconds in an address of 60 KB
    return host[0].lower() + address[host.end() :] if host else address, after


def _known(words: str) -> dict[str, list[str]]:
    """Return the addresses in some words whose sites a format knows, with the endings that it knows."""
    known = {one: [*filter(format_of_line, endings)] for one, endings in _addresses(words).items()}
    return {address: endings for address, endings in known.items() if endings}


def address_entries(text: str) -> Iterator[_Listed]:
    """Yield the boards of a text. A line has addresses, or begins with a game ID or the like.

    In a list, other lines are entries, too, so that they are reported, unless they are only words; in other texts they
    are skipped. A string of Interactive Sudoku Solver may have blanks and ends of lines between its constraints.
    """
    is_string = _CONSTRAINT.match(text) and not are_lines(text)
    lines = [*content_lines(_BEFORE.sub("", text) if is_string else text)]
    is_list = format_of_line(_first(lines[0][1])[0] if lines else "") or not any(_known(words) for _, words in lines)
    for line, words in lines:
        (first, title), found = _first(words), _known(words)
        own = _addresses(first)
        if not own and format_of_line(first):
            yield line, [first], title
        elif [*found] == [*own] and len(found) == 1:
            ((address, endings),) = found.items()
            yield line, endings, "" if address in title else title
        elif found:
            yield from ((line, endings, "") for endings in found.values())
        elif is_list and ("://" in words or not is_title_row(words)):
            yield line, [first], title


def _first(words: str) -> tuple[str, str]:
    """Return the first word of a line without quotes, and what follows it: after a tab, or else after a blank."""
    word, _, title = words.partition("\t" if "\t" in words else " ")
    return word.strip("<>\"'`"), title


def recognise(text: str) -> Format | None:
    """Return the format of a text, or of the first address or the like in it; None if there is none."""
    found = next((format_ for format_ in formats().values() if format_.recognise(text)), None)
    if found is not None:
        return found
    first = next(address_entries(text[: Limits.LONGEST_ADDRESS]), None)
    return format_of_line(first[1][0]) if first else None


def _about_json(words: str) -> str:
    """Return what is wrong with a text that begins like JSON, and is that of no format."""
    try:
        found = parse_json(words)
    except ValueError:
        return "this is not valid JSON: copy it whole"
    one = found[0] if isinstance(found, list) else found
    keys = listing(map(shown, first_listed(one, 6)), "and")
    message = f"this is JSON of another program, with the keys {keys}; pyasp reads that of f-puzzles, SudokuPad and"
    return f'{message} SudokuMaker, and its own, with "puzzle" and the keys of a TOML file'


def refuse_known(text: str, where: Where) -> None:
    """Raise `InstanceError` for a text that looks like an address, or another text, of no format.

    Raises:
        InstanceError: what it is.
    """
    words = text.strip()
    if problem := fault_in_rows(text):
        raise InstanceError(problem[0], Where(where.source, problem[1]) if "\n" in words else where)
    if "┌" in words or re.search(r"^ *1\. (?:row|column) \d", words[:1000], re.MULTILINE):
        message = "this looks like a board or an answer as pyasp prints it for people: `pyasp convert` and `solve --to`"
        raise InstanceError(
            f"{message} write boards that it reads, and `solve --json` answers for `check --answer`", where
        )
    if re.match(r"[\[\s]*\{\s*[\"}]", words):
        raise InstanceError(_about_json(words), where)
    found = [*_addresses(words[: Limits.LONGEST_ADDRESS])]
    if found and not re.search(r"[=(\[]", re.sub(r"\S*://\S*", "", words)):
        words = found[0]
    for part in (*(found if len(found) == 1 else ()), words):
        for pattern, message in _KNOWN.items():
            if re.match(rf"(?:https?://)?(?:www\.)?{pattern}", part):
                raise InstanceError(f"this is {message}", where)
    if re.match(r"https?://\S+\s*$", words):
        message = f"pyasp does not know the site of {shown(words)}, and opens no addresses: it reads the puzzle in them"
        raise InstanceError(f"{message}; `pyasp list --formats` lists the sites that it knows", where)
    if not re.search(r"[=(\[]", words):
        message = f"pyasp does not recognise the format of a text that begins {shown(words.partition(chr(10))[0])}"
        raise InstanceError(f"{message}; `pyasp list --formats` lists the formats that it reads", where)
