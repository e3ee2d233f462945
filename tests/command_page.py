"""`docs/command.md`, made from the help of the commands; `python -m tests.documents --write` writes it."""

import inspect
import re
from collections import Counter
from typing import Any

import typer

from pyasp_puzzles.cli import application

HEAD = """\
# The pyasp command

The first sentences of the help. `pyasp COMMAND --help` has the rest, examples, and what the
[exit codes](json.md#exit-codes) mean. Commands without a section, such as `pyasp count`, have only shared options.

"""
TAIL = """\
## Environment

- `PYASP_PUZZLES`: directories of your own puzzles, separated as in `PATH`; see [adding a puzzle](adding-a-puzzle.md).
- `NO_COLOR`: if set and not empty, output has no color. Output that is not a terminal never has.
"""
SHARED = "Shared arguments and options"
# {command: the document that explains its own options}
ELSEWHERE = {"generate": "generating.md"}


def page() -> str:
    """Return the page, as Markdown."""
    group: Any = typer.main.get_command(application())
    commands = {name: command for name, command in group.commands.items() if not command.hidden}
    shared = _shared(list(commands.values()))
    parts = filter(None, (_section(name, command, shared) for name, command in commands.items()))
    return HEAD + "\n".join([f"## {SHARED}\n", _list({**shared, **_parameters(group)}), *parts, TAIL])


def help_texts() -> str:
    """Return the whole help of all commands and their parameters."""
    commands: Any = typer.main.get_command(application()).commands.values()  # type: ignore[attr-defined]
    texts = [text for command in commands for text in (command.help, command.epilog, *(p.help for p in command.params))]
    return "\n".join(filter(None, texts))


def _section(name: str, command: Any, shared: dict[str, Any]) -> str:
    """Return what a command does, and the parameters that it does not share with others; empty without any."""
    own = {key: parameter for key, parameter in _parameters(command).items() if key not in shared}
    listed = _list(own)
    if name in ELSEWHERE:
        names = ", ".join(_name(parameter) for parameter in own.values())
        listed = f"[{ELSEWHERE[name]}]({ELSEWHERE[name]}) explains {names}.\n"
    return f"## pyasp {name}\n\n{_prose(command.help)}\n{listed}" if own else ""


def _parameters(command: Any) -> dict[str, Any]:
    """Return the arguments and options of a command that are not hidden: `{line of the list: parameter}`."""
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    return {f"- {_name(parameter)}: {_help(parameter)}": parameter for parameter in shown}


def _shared(commands: list[Any]) -> dict[str, Any]:
    """Return the parameters of two or more commands; of those with one name, that of the most commands."""
    found = [item for command in commands for item in _parameters(command).items()]
    times = Counter(line for line, _ in found)
    usual: dict[str, str] = {}
    for line, parameter in found:
        name = _long(parameter)
        if times[line] > times[usual.setdefault(name, line)]:
            usual[name] = line
    return {line: parameter for line, parameter in found if times[line] > 1 and usual[_long(parameter)] == line}


def _list(parameters: dict[str, Any]) -> str:
    """Return parameters, by their lines, as a list."""
    return "".join(f"{line}\n" for line in parameters)


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _metavar(parameter: Any) -> str:
    choices = getattr(parameter.type, "choices", None)
    name: str = parameter.metavar or ("|".join(map(str, choices)) if choices else parameter.name)
    return name.strip("[]") if parameter.metavar or choices else name.upper()


def _long(parameter: Any) -> str:
    """Return the name that is the same for every command: `FILE`, `--number`."""
    return _metavar(parameter).rstrip(".") if _is_argument(parameter) else max(parameter.opts, key=len)


def _name(parameter: Any) -> str:
    if _is_argument(parameter):
        return f"`{_long(parameter)}`"
    value = "" if parameter.is_flag or parameter.count else f" {_metavar(parameter)}"
    *short, long = sorted([*parameter.opts, *parameter.secondary_opts], key=len)
    return ", ".join(f"`{name}`" for name in [*short, f"{long}{value}"])


def _help(parameter: Any) -> str:
    """Return the first sentence of the help of a parameter."""
    return _escaped(_first_sentence(parameter.help or ""))


def _prose(text: str | None) -> str:
    """Return the first sentence of the help of a command, as a paragraph."""
    return f"{_escaped(_first_sentence(text or ''))}\n"


def _first_sentence(text: str) -> str:
    """Return the first sentence of a help text: to a full stop, or to a semicolon."""
    [first, *_] = re.split(r"(?<=\w[\w)])[.;] |\n[ \t]*\n", inspect.cleandoc(text))
    return " ".join(first.split()).removesuffix(".") + "."


def _escaped(text: str) -> str:
    """Return text whose stars, brackets and the like Markdown shows as they are; code in backticks is kept."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*<\[\]|])", r"\\\1", part) for part in parts)
