"""The commands that show what there is, convert it, or begin it: `facts`, `encoding`, `list`, `new`, `convert`."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pyasp_puzzles.cli import options
from pyasp_puzzles.cli.files import OutputFiles, board_file_name
from pyasp_puzzles.cli.options import OTHERS, OUTPUT, argument, option, refuse_options_together
from pyasp_puzzles.cli.output import output_as_json
from pyasp_puzzles.cli.run import LinesRun, Run
from pyasp_puzzles.cli.terminal import stdout_style, write_stderr, write_stdout, write_wrapped
from pyasp_puzzles.errors import PuzzleError, listing
from pyasp_puzzles.render.text import BOLD_CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pyasp_puzzles.formats.format import Format, Shows
    from pyasp_puzzles.model.puzzle import Instance

_VARIANTS = "List the variants instead: rules to add with --extra."
_FORMATS = "List the formats instead: what FILE may be, and `convert` can write."
_VARIANT = "Write the folder of a variant instead: rules to add to Sudoku."
_KIND = "What an answer is: numbers, shading, pieces, lines or areas. The default is numbers; with --from, shading."
_LINK = "Begin with what a link of puzz.link tells: the name of its kind, its size, and keys that fit its board."
_EJECT = "Copy the files to DIR, for you to edit; other commands read them with --encoding DIR."
_WHAT = "A puzzle from `pyasp list`, a variant from `pyasp list --variants`, or a board as other commands take it."


def facts_command(
    folders: options.FolderOptions,
    pictures: options.PictureOptions,
    file: options.File,
    format: options.As = None,
    board: options.BoardNumber = None,
) -> None:
    """Print the facts of a board for plain clingo.

    pyasp facts FILE | python -m clingo $(pyasp encoding FILE --path) - 0

    Examples:
      pyasp facts tectonic/seed
      pyasp facts strips/hunt --board 3
    """
    from pyasp_puzzles.puzzles.questions import facts_program

    write_stdout(facts_program(_one_board(file, board, format, folders.puzzles or (), pictures.shows)))


def _one_board(
    file: str, number: int | None, format: str | None, puzzles: Sequence[Path], shows: Shows | None = None
) -> Instance:
    """Return the board of a file with a number, or its only board.

    Raises:
        InstanceError: there are several boards and no number, or no board has the number.
    """
    from pyasp_puzzles.errors import InstanceError, Where
    from pyasp_puzzles.formats.load import load

    instances = load(file, puzzles=puzzles, format=format, shows=shows)
    if number is None and len(instances) > 1:
        raise InstanceError(f"{len(instances)} boards here; choose one with --board N", Where(file))
    if (number or 1) > len(instances):
        raise InstanceError(f"there is no board {number}; choose 1 to {len(instances)}", Where(file))
    return instances[(number or 1) - 1]


def encoding_command(
    folders: options.FolderOptions,
    name: Annotated[str, argument("PUZZLE|VARIANT|FILE", _WHAT, "rules")],
    format: options.As = None,
    board: options.BoardNumber = None,
    path: Annotated[bool, option(OUTPUT, "Print the path of each file instead.", "--path")] = False,
    eject: Annotated[Path | None, option(OUTPUT, _EJECT, metavar="DIR")] = None,
) -> None:
    """Print the rules of a puzzle, of a variant, or of a board with its variants.

    The rules are an answer set program, which plain clingo runs, too.

    Examples:
      pyasp encoding tectonic
      pyasp encoding strata --path
      pyasp encoding sudoku --eject mine
    """
    from pyasp_puzzles.errors import printable
    from pyasp_puzzles.puzzles import templates

    files = _rule_files(name, board, format, folders.puzzles or ())
    if eject is not None:
        for copy in templates.eject(files, eject):
            write_stdout(f"{printable(str(copy))}\n")
    elif path:
        write_stdout("".join(f"{file}\n" for file in files))
    else:
        write_stdout("\n".join(file.read_text(encoding="utf-8") for file in files))


def _rule_files(name: str, number: int | None, format: str | None, puzzles: Sequence[Path]) -> list[Path]:
    """Return the files of the rules of a puzzle, a variant or a board.

    Raises:
        PuzzleError: there is none of that name, or the boards of a file have different rules.
    """
    from pyasp_puzzles.errors import InstanceError, UnknownPuzzleError, Where, did_you_mean, shown
    from pyasp_puzzles.formats.load import load, shipped_instances
    from pyasp_puzzles.puzzles import declaration
    from pyasp_puzzles.puzzles.declaration import find_puzzle, variants_in
    from pyasp_puzzles.puzzles.questions import rule_files_in_use

    if format is None and number is None:
        with suppress(UnknownPuzzleError):
            return [*find_puzzle(name, directories=puzzles).encodings]
        variants = variants_in(puzzles)
        if name in variants:
            return [variants[name].rules]
        if re.fullmatch(r"\w[\w/-]*", name) and name not in shipped_instances() and not Path(name).exists():
            hint = did_you_mean(name, [*declaration.names(puzzles), *variants, *shipped_instances()])
            raise UnknownPuzzleError(f"no puzzle, variant, board or file is called {shown(name)}{hint}")
    if number is not None:
        return rule_files_in_use(_one_board(name, number, format, puzzles))
    rules = {tuple(rule_files_in_use(instance)) for instance in load(name, puzzles=puzzles, format=format)}
    if len(rules) > 1:
        raise InstanceError("the boards have different rules; choose one with --board N", Where(name))
    return [*rules.pop()]


def list_command(
    run: LinesRun,
    folders: options.FolderOptions,
    puzzle: Annotated[str | None, argument("PUZZLE", "Only this puzzle.", "puzzle")] = None,
    variants: Annotated[bool, option(OUTPUT, _VARIANTS, "--variants")] = False,
    formats: Annotated[bool, option(OUTPUT, _FORMATS, "--formats")] = False,
) -> None:
    """List the puzzles, or the boards of one that ship, or the variants or formats.

    Examples:
      pyasp list
      pyasp list sudoku
      pyasp list --variants
      pyasp list --formats --json
    """
    refuse_options_together({"--variants": variants, "--formats": formats, "PUZZLE": puzzle})
    puzzles = folders.puzzles or ()
    boards = run.as_json or puzzle is not None
    entries = _variants(puzzles) if variants else _formats() if formats else _puzzles(puzzles, puzzle, boards=boards)
    if run.as_json:
        for entry in entries:
            write_stdout(output_as_json(entry) + "\n")
    elif variants or formats or puzzle:
        for entry in entries:
            write_wrapped(_line(entry))
    else:
        _write_families(entries)


def _write_families(puzzles: Iterable[Mapping[str, Any]]) -> None:
    """Print puzzles below the headings of their families, those with the most boards first."""
    from pyasp_puzzles.boards.grid import grouped

    for family, members in grouped((entry["family"], entry) for entry in puzzles).items():
        write_stdout(f"{stdout_style().paint(family, BOLD_CODE)}\n")
        for entry in members:
            write_wrapped(f"  {_line(entry)}")
    variants = "`pyasp list --variants` rules to add to them, each with a board, such as variants/thermometer"
    write_wrapped(f"\n`pyasp list PUZZLE` lists the boards of a puzzle, {variants}.\n")


def _line(entry: Mapping[str, Any]) -> str:
    """Return a puzzle, a variant, a format, or a board below its puzzle, as a line of text."""
    if "source" in entry:
        several = f" ({entry['boards']} boards)" if entry["boards"] > 1 else ""
        end = f" ({entry['resolution']} by resolution)" if entry["resolution"] else ""
        return f"  {entry['source']:<24} {entry['title']}{several}{end}\n"
    name = next(iter(entry.values()))
    also = f" (also: {', '.join(entry['aliases'])})" if entry.get("aliases") else ""
    keys = "".join(f" (key: {key})" for key in entry.get("keys", ()))
    return f"{stdout_style().paint(name, BOLD_CODE)}{also}{keys}: {entry['summary']}\n"


def _puzzles(folders: Sequence[Path], wanted: str | None, *, boards: bool) -> Iterator[dict[str, Any]]:
    """Yield the puzzles, those with the most boards first, or the one of this name; with boards, each before its."""
    from pyasp_puzzles.formats.load import shipped_instances
    from pyasp_puzzles.puzzles import declaration
    from pyasp_puzzles.puzzles.declaration import find_puzzle

    shipped = [*shipped_instances()] if boards else []
    names = [wanted] if wanted is not None else declaration.well_known_puzzles(folders)
    for puzzle in (find_puzzle(name, directories=folders) for name in names):
        family, aliases = puzzle.kind.family, [*puzzle.aliases]
        yield {"puzzle": puzzle.name, "aliases": aliases, "family": family, "summary": puzzle.summary}
        for name in (name for name in shipped if name.startswith(f"{puzzle.name}/")):
            yield {"puzzle": puzzle.name, "source": name, **_about(name)}


def _about(name: str) -> dict[str, Any]:
    """Return the columns of `list` for a shipped file: its title, its number of boards, and how resolution ends."""
    from pyasp_puzzles.formats.load import shipped_table

    table, boards = shipped_table(name)
    return {"title": table["title"], "boards": boards, "resolution": table.get("resolution")}


def _variants(folders: Sequence[Path]) -> Iterator[dict[str, Any]]:
    from pyasp_puzzles.puzzles.declaration import variants_in

    for variant in variants_in(folders).values():
        yield {"variant": variant.name, "keys": [key.name for key in variant.keys], "summary": variant.summary}


def _formats() -> Iterator[dict[str, Any]]:
    from pyasp_puzzles.formats.format import formats

    yield from ({"format": format_.name, "summary": format_.summary} for format_ in formats().values())


def new_command(
    name: Annotated[str, argument("NAME", "The name of the puzzle, and of its folder.")],
    kind: Annotated[str | None, option(OTHERS, _KIND, "--kind", metavar="KIND", offers="answer")] = None,
    variant: Annotated[bool, option(OTHERS, _VARIANT, "--variant")] = False,
    link: Annotated[str | None, option(OTHERS, _LINK, "--from", metavar="LINK")] = None,
) -> None:
    """Write a folder for a puzzle of your own, or with --variant for a variant.

    It contains a small puzzle, complete and commented, for you to change; or with --from a board, for you to write its
    rules.

    Examples:
      pyasp new sums
      pyasp new islands --kind shading
      pyasp new juosan --from 'https://puzz.link/p?juosan/5/5/8mdnvues132g213g22g'
    """
    from pyasp_puzzles.puzzles import templates

    refuse_options_together({"--variant": variant, "--kind": kind})
    refuse_options_together({"--variant": variant, "--from": link})
    fits = True
    if link is not None:
        from pyasp_puzzles.formats.puzzlink import folder_from_link

        folder, fits = folder_from_link(name, link, kind or "shading", Path())
    else:
        folder = templates.new_folder(name, "variant" if variant else kind or "numbers", Path())
    use, declared = ("--extra", "variant.toml") if variant else ("--puzzles", "puzzle.toml")
    command = "check" if link else "solve"
    first = f"pyasp {command} {folder}/first.toml {use} {folder}"
    unknown = f"no keys of a puzzle that ships fit the body of this link; write them, and body, in {folder}/{declared}"
    write_stdout(f"{folder}\n  {first if fits else unknown}\n")
    write_stdout(f"  see the comments in {folder}/{declared} and {folder}/{name}.lp\n")


# -- Boards in other formats ------------------------------------------------------------------------

# The boards that a warning names.
_MOST_NAMED = 3


def convert_command(run: Run, boards: options.PicturedBoardOptions, out: OutputFiles, to: options.To = None) -> None:
    """Write boards in another format.

    Boards that the format cannot represent are refused. A warning names details that are lost, such as the title.

    Examples:
      pyasp convert sudoku/easy --to sudokupad
      pyasp convert 'https://puzz.link/p?sudoku/4/4/g1k23k3g' --to toml
      pyasp convert list.txt --to penpa -o addresses.txt

    Exit codes: 0 every board was written
    """
    from pyasp_puzzles.formats.format import find_format, formats, formats_by_suffix

    name = to or formats_by_suffix().get(out.output.suffix if out.output else "")
    if name is None:
        raise options.UsageError(f"--to is missing; choose {listing(formats())}")
    wanted = find_format(name)
    with out:
        convert_boards((board for board, _ in run.boards(boards)), wanted, out, run.report)


def convert_boards(
    boards: Iterable[Instance], wanted: Format, output: OutputFiles, report: Callable[[PuzzleError], object]
) -> None:
    """Write boards in a format, to standard output, a file, or a directory; report boards that it cannot store."""
    lost: dict[str, list[Instance]] = {}
    total = 0

    def text(group: Sequence[Instance]) -> str:
        return wanted.write(group, lambda warning: lost.setdefault(warning, []).append(group[0]))

    at_once = output.directory is None and not (wanted.line and output.path is None)
    try:
        for group in [[*boards]] if at_once else ([board] for board in boards):
            total += len(group)
            try:
                texts = [text([board]) for board in group]  # one by one, as a warning does not name its board
                for content in texts if len(group) < 2 else [wanted.write(group, lambda _: None)]:
                    output.write(f"{content}\n", board_file_name(group[0], (*wanted.suffixes, ".txt")[0]))
            except PuzzleError as error:
                error.about = error.about or group[0].about
                report(error)
    finally:
        for warning, losers in lost.items():
            write_stderr(f"warning: {warning}{_which(losers, total)}")


def _which(boards: Sequence[Instance], total: int) -> str:
    """Return which boards of all a warning is about, in parentheses; nothing if there is only one."""
    if len(boards) == total:
        return f" (all {total} boards)" if total > 1 else ""
    names = list(dict.fromkeys(str(board.facts.where) for board in boards))
    more = len(names) - _MOST_NAMED
    shown = [*names[:_MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    return f" ({listing(shown, 'and')})"
