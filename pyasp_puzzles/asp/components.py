"""The strongly connected components of a graph: which atoms of a ground program depend on one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


def components(below: Mapping[int, Collection[int]]) -> list[list[int]]:
    """Return the strongly connected components of a graph; a node on no cycle is a component by itself.

    Source: S. Rao Kosaraju's algorithm, in Aho, Hopcroft and Ullman, "Data Structures and Algorithms" (1983).

    Args:
        below: {node: the nodes that it leads to}, each of which is a key as well.
    """
    ended: list[int] = []
    seen: set[int] = set()
    for start in below:
        waiting = [] if start in seen else [(start, iter(below[start]))]
        seen.add(start)
        while waiting:
            node, others = waiting[-1]
            new = next((other for other in others if other not in seen), None)
            if new is None:
                ended.append(waiting.pop()[0])
            else:
                seen.add(new)
                waiting.append((new, iter(below[new])))
    above: dict[int, list[int]] = {node: [] for node in below}
    for node, others_below in below.items():
        for other in others_below:
            above[other].append(node)
    parts: list[list[int]] = []
    for start in reversed(ended):
        if start in seen:
            seen.remove(start)
            part = [start]
            for node in part:  # which grows
                new_ones = seen.intersection(above[node])
                seen -= new_ones
                part += sorted(new_ones)
            parts.append(part)
    return parts
