"""`Rules`, a program as text, wherever a file of rules can be given: `Settings(encoding=Rules("..."))`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, TypeAlias

# The name of the facts of a board in messages, and of the lines added to them. clingo calls them `<block>`.
FACTS_NAME = "<facts>"


class Rules(NamedTuple):
    """Rules as text, in place of a file. They are equal if text and name are, so caches know them by content.

    Unlike files, they can be somebody else's: they cannot include files, and call no functions of Python or Lua.
    """

    text: str
    name: str = "<rules>"
    """Its name in messages, `<rules>:3:1: syntax error`."""

    def __str__(self) -> str:
        return self.name

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return self.text.count("\n") + 1

    @property
    def stem(self) -> str:
        """The name, as of a file."""
        return self.name


# What rules are read from.
RuleFile: TypeAlias = Path | Rules
