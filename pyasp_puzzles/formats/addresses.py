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
# {pattern of an address or a text that no format reads: what it is}
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


def _addresses(text: str) -> dict[str, list[str]]:
    """Return what looks like an address in some words, each with a lower-case host, and as it may end.

    The first ending is the address itself; the others have more and more of the punctuation after it.
    """
    # Words are separated by what Markdown and HTML have around an address, too.
    cleaned = (_cleaned(word) for word in re.split(r"""[\s<>"`]+|\]\(""", text) if "/" in word)
    return {
        address: [address + after[:i] for i in range(len(after) + 1)]
        for address, after in cleaned
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


def _known(text: str) -> dict[str, list[str]]:
    """Return the addresses in some words whose sites a format knows, with the endings that it knows."""
    by_address = {address: [*filter(format_of_line, endings)] for address, endings in _addresses(text).items()}
    return {address: endings for address, endings in by_address.items() if endings}


def address_entries(text: str) -> Iterator[_Listed]:
    """Yield the boards of a text. A line has addresses, or begins with a game ID or the like.

    In a list, other lines are entries, too, so that they are reported, unless they are only words; in other texts they
    are skipped. A string of Interactive Sudoku Solver may have blanks and ends of lines between its constraints.
    """
    is_string = _CONSTRAINT.match(text) and not are_lines(text)
    lines = [*content_lines(_BEFORE.sub("", text) if is_string else text)]
    is_list = format_of_line(_first(lines[0][1])[0] if lines else "") or not any(_known(entry) for _, entry in lines)
    for line, entry in lines:
        (first, title), listed = _first(entry), _known(entry)
        addresses = _addresses(first)
        if not addresses and format_of_line(first):
            yield line, [first], title
        elif [*listed] == [*addresses] and len(listed) == 1:
            ((address, endings),) = listed.items()
            yield line, endings, "" if address in title else title
        elif listed:
            yield from ((line, endings, "") for endings in listed.values())
        elif is_list and ("://" in entry or not is_title_row(entry)):
            yield line, [first], title


def _first(line: str) -> tuple[str, str]:
    """Return the first word of a line without quotes, and what follows it: after a tab, or else after a blank."""
    word, _, title = line.partition("\t" if "\t" in line else " ")
    return word.strip("<>\"'`"), title


def recognise(text: str) -> Format | None:
    """Return the format of a text, or of the first address or the like in it; None if there is none."""
    whole = next((format_ for format_ in formats().values() if format_.recognise(text)), None)
    if whole is not None:
        return whole
    first = next(address_entries(text[: Limits.LONGEST_ADDRESS]), None)
    return format_of_line(first[1][0]) if first else None


def _about_json(text: str) -> str:
    """Return what is wrong with a text that begins like JSON, and is that of no format."""
    try:
        value = parse_json(text)
    except ValueError:
        return "this is not valid JSON: copy it whole"
    board = value[0] if isinstance(value, list) else value
    keys = listing(map(shown, first_listed(board, 6)), "and")
    message = f"this is JSON of another program, with the keys {keys}; pyasp reads that of f-puzzles, SudokuPad and"
    return f'{message} SudokuMaker, and its own, with "puzzle" and the keys of a TOML file'


def refuse_known(text: str, where: Where) -> None:
    """Raise `InstanceError` for a text that looks like an address or a board, but is of no format.

    Raises:
        InstanceError: what it is.
    """
    clean = text.strip()
    if problem := fault_in_rows(text):
        raise InstanceError(problem[0], Where(where.source, problem[1]) if "\n" in clean else where)
    if "┌" in clean or re.search(r"^ *1\. (?:row|column) \d", clean[:1000], re.MULTILINE):
        message = "this looks like a board or an answer as pyasp prints it for people: `pyasp convert` and `solve --to`"
        raise InstanceError(
            f"{message} write boards that it reads, and `solve --json` answers for `check --answer`", where
        )
    if re.match(r"[\[\s]*\{\s*[\"}]", clean):
        raise InstanceError(_about_json(clean), where)
    addresses = [*_addresses(clean[: Limits.LONGEST_ADDRESS])]
    if addresses and not re.search(r"[=(\[]", re.sub(r"\S*://\S*", "", clean)):
        clean = addresses[0]
    for part in (*(addresses if len(addresses) == 1 else ()), clean):
        for pattern, message in _KNOWN.items():
            if re.match(rf"(?:https?://)?(?:www\.)?{pattern}", part):
                raise InstanceError(f"this is {message}", where)
    if re.match(r"https?://\S+\s*$", clean):
        message = f"pyasp does not know the site of {shown(clean)}, and opens no addresses: it reads the puzzle in them"
        raise InstanceError(f"{message}; `pyasp list --formats` lists the sites that it knows", where)
    if not re.search(r"[=(\[]", clean):
        message = f"pyasp does not recognise the format of a text that begins {shown(clean.partition(chr(10))[0])}"
        raise InstanceError(f"{message}; `pyasp list --formats` lists the formats that it reads", where)
