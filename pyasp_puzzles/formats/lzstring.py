"""lz-string, which packs the JSON of f-puzzles and SudokuPad: `decompress`, up to a length, and `compress`.

A packed text is a stream of codes, in base 64, lowest bit first. Codes 0 and 1 announce a new character of 8 or 16
bits, 2 ends the text, others stand for earlier pieces of the text. Checked against lz-string 1.5.0 of npm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Characters of a text that is unpacked; the largest puzzles have some 100 000.
LONGEST_UNPACKED = 2**20

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NEW_8, _NEW_16, _END = 0, 1, 2


def decompress(packed: str) -> str:
    """Return the text that was packed to base 64.

    Raises:
        ValueError: it is not a packed text, or longer than `LONGEST_UNPACKED`.
    """
    six = {character: f"{value:06b}" for value, character in enumerate(_ALPHABET)}
    try:
        bits = "".join(six[character] for character in packed.rstrip("=\\"))
    except KeyError:
        raise ValueError("a character that is not of base 64") from None
    at = 0

    def take(count: int) -> int:
        """Return the number in the next `count` bits."""
        nonlocal at
        word = bits[at : at + count]
        if len(word) < count:
            raise ValueError("the text is cut off")
        at += count
        return int(word[::-1], 2)

    pieces: list[str] = ["", "", ""]
    found: list[str] = []
    length, wide, last = 0, 2, ""
    while (code := take(wide)) != _END:
        if code in {_NEW_8, _NEW_16}:
            pieces.append(chr(take(8 if code == _NEW_8 else 16)))
            code = len(pieces) - 1
        if code < len(pieces):
            piece = pieces[code]
        elif code == len(pieces) and last:
            piece = last + last[0]
        else:
            raise ValueError("a code without a piece")
        found.append(piece)
        length += len(piece)
        if length > LONGEST_UNPACKED:
            raise ValueError("too long a text")
        if last:
            pieces.append(last + piece[0])
        last = piece
        wide = len(pieces).bit_length()  # the next code may also be that of the piece which it completes
    # Units of 16 bits become characters; half a pair stays as it is.
    return "".join(found).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def compress(text: str) -> str:
    """Return a text packed to base 64."""
    bits = "".join(f"{code:0{wide}b}"[::-1] for code, wide in _codes(text))
    bits += "0" * (6 - len(bits) % 6)
    packed = "".join(_ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return packed + "=" * (-len(packed) % 4)


def _codes(text: str) -> Iterator[tuple[int, int]]:
    pieces: dict[str, int] = {}
    new: set[str] = set()
    last, largest = "", 2  # the largest code that may come next decides how many bits are written
    data = text.encode("utf-16-be", "surrogatepass")  # units of 16 bits, as JavaScript has them
    units = (chr(data[i] << 8 | data[i + 1]) for i in range(0, len(data), 2))
    for character in (*units, ""):
        if character and character not in pieces:
            pieces[character] = len(pieces) + 3
            new.add(character)
        if character and last + character in pieces:
            last += character
            continue
        wide = largest.bit_length()
        if last in new:
            new.remove(last)
            code = ord(last)
            kind, count = (_NEW_8, 8) if code < 256 else (_NEW_16, 16)
            yield kind, wide
            yield code, count
            largest += 2
        elif last:
            yield pieces[last], wide
            largest += 1
        pieces[last + character] = len(pieces) + 3
        last = character
    yield _END, largest.bit_length()
