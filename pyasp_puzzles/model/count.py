"""`Count`, a number of answers."""

from __future__ import annotations

from typing import Self


class Count(int):
    """A number of answers, `Count(3)`; if there may be more, `Count(2, exact=False)`, which prints as `at least 2`."""

    exact: bool
    """Whether there are no more."""

    def __new__(cls, number: int, *, exact: bool = True) -> Self:
        """Return the number as a count."""
        count = super().__new__(cls, number)
        count.exact = exact
        return count

    @property
    def number(self) -> int:
        """The number alone."""
        return int(self)

    def __str__(self) -> str:
        return f"{self.number}" if self.exact else f"at least {self.number}"

    def __repr__(self) -> str:
        return f"Count({self.number}, exact={self.exact})"

    def _repr_html_(self) -> str:
        return f"<p>{self} answer{'' if str(self) == '1' else 's'}</p>"
