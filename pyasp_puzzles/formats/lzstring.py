"""lz-string, which f-puzzles and SudokuPad pack their JSON with: `decompress`, under a cap, and `compress`.

A packed text is a stream of codes, in base 64, lowest bit first. Codes 0 and 1 announce a new character of 8 or 16
bits, 2 ends the text, others stand for earlier pieces of the text. Checked against lz-string 1.5.0 of npm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
NEW_8, NEW_16, END = 0, 1, 2
LONGEST = 2**20
"""Characters of a text that is unpacked; the largest puzzles have some 100 000."""


def decompress(packed: str, most: int = LONGEST) -> str:
    """Return the text that was packed to base 64.

    Raises:
        ValueError: it is no packed text, or longer than `most`.
    """
    bits = _Bits(packed)
    pieces: list[str] = ["", "", ""]
    found: list[str] = []
    length, wide, last = 0, 2, ""
    while (code := bits.take(wide)) != END:
        if code in {NEW_8, NEW_16}:
            pieces.append(chr(bits.take(8 if code == NEW_8 else 16)))
            code = len(pieces) - 1
            wide = _width(len(pieces) + bool(last))
        if code < len(pieces):
            piece = pieces[code]
        elif code == len(pieces) and last:
            piece = last + last[0]
        else:
            raise ValueError("a code without a piece")
        found.append(piece)
        length += len(piece)
        if length > most:
            raise ValueError("too long a text")
        if last:
            pieces.append(last + piece[0])
        last = piece
        wide = _width(len(pieces) + 1)
    return "".join(found)


def _width(pieces: int) -> int:
    """Return the bits of the next code, if there are so many pieces when it has been read."""
    return max(2, (pieces - 1).bit_length())


class _Bits:
    """The bits of a packed text."""

    def __init__(self, packed: str) -> None:
        values = {character: value for value, character in enumerate(ALPHABET)}
        try:
            six = (values[character] for character in packed.rstrip("=\\"))
            self._bits = "".join(f"{value:06b}" for value in six)
        except KeyError:
            raise ValueError("a character that is not of base 64") from None
        self._at = 0

    def take(self, count: int) -> int:
        """Return the number of the next so many bits."""
        word = self._bits[self._at : self._at + count]
        if len(word) < count:
            raise ValueError("the text is cut off")
        self._at += count
        return int(word[::-1], 2)


def compress(text: str) -> str:
    """Return a text packed to base 64."""
    bits = "".join(f"{code:0{wide}b}"[::-1] for code, wide in _codes(text))
    bits += "0" * (-len(bits) % 6 or 6 * (not len(bits) % 6))
    packed = "".join(ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return packed + "=" * (-len(packed) % 4)


def _codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield codes and numbers of bits."""
    pieces: dict[str, int] = {}
    new: set[str] = set()
    size, wide, room, last = 3, 2, 2, ""

    def emit(piece: str) -> Iterator[tuple[int, int]]:
        nonlocal wide, room
        if piece in new:
            code = ord(piece)
            kind, count = (NEW_8, 8) if code < 256 else (NEW_16, 16)
            yield kind, wide
            yield code, count
            new.remove(piece)
            room -= 1
            if not room:
                room, wide = 2**wide, wide + 1
        else:
            yield pieces[piece], wide
        room -= 1
        if not room:
            room, wide = 2**wide, wide + 1

    for character in _units(text):
        if character not in pieces:
            pieces[character] = size
            size += 1
            new.add(character)
        if last + character in pieces:
            last += character
            continue
        yield from emit(last)
        pieces[last + character] = size
        size += 1
        last = character
    if last:
        yield from emit(last)
    yield END, wide


def _units(text: str) -> str:
    """Return a text in units of 16 bits, as JavaScript has it."""
    if all(character < "\U00010000" for character in text):
        return text
    data = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(data[i] << 8 | data[i + 1]) for i in range(0, len(data), 2))
