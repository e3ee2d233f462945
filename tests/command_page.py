"""`docs/command.md`, made from the help of the commands; `python -m tests.documents --write` writes it."""

import inspect
import re
from collections import Counter
from typing import Any

import typer

from pyasp_puzzles.cli import application

HEAD = """\
# The pyasp command

Every command, its arguments and its options, as `pyasp COMMAND --help` prints them.
[Arguments and options of several commands](#shared-arguments-and-options) come first.
[Exit codes](json.md#exit-codes) are described with the output. `python -m tests.documents --write` makes this page
from the help texts.

"""
TAIL = """\
## Environment

- `PYASP_PUZZLES`: directories of your own puzzles, separated as in `PATH`; see [adding a puzzle](adding-a-puzzle.md).
- `NO_COLOR`: if set and not empty, output has no color. Output that is not a terminal never has.
"""
SHARED = "Shared arguments and options"


def page() -> str:
    """Return the page, as Markdown."""
    group: Any = typer.main.get_command(application())
    commands = {name: command for name, command in group.commands.items() if not command.hidden}
    index = "Commands: " + ", ".join(f"[{name}](#pyasp-{name})" for name in commands) + ".\n"
    usage = "    pyasp [OPTIONS] COMMAND [ARGUMENTS]\n"
    top = [_prose(group.help), usage, index, *_panels(_parameters(group)), _prose(group.epilog)]
    shared = _shared(list(commands.values()))
    parts = [_section(name, command, shared) for name, command in commands.items()]
    return HEAD + "\n".join([*filter(None, top), f"## {SHARED}\n", *_panels(shared), *parts, TAIL])


def _section(name: str, command: Any, shared: dict[str, Any]) -> str:
    """Return what there is about one command; of what it shares with others, only the names."""
    parameters = _parameters(command)
    words = [
        "pyasp",
        name,
        "[OPTIONS]",
        *(_usage(parameter) for parameter in command.params if _is_argument(parameter)),
    ]
    usage = f"    {' '.join(words)}\n"
    own = {key: parameter for key, parameter in parameters.items() if key not in shared}
    names = ", ".join(f"`{_long(parameter)}`" for key, parameter in parameters.items() if key in shared)
    also = f"[Shared](#{SHARED.lower().replace(' ', '-')}): {names}.\n" if names else ""
    parts = [_prose(command.help), usage, *_panels(own), also, _prose(command.epilog)]
    return f"## pyasp {name}\n\n" + "\n".join(filter(None, parts))


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


def _panels(parameters: dict[str, Any]) -> list[str]:
    """Return parameters, by their lines, as a list for each panel."""
    panels: dict[str, list[str]] = {}
    for line, parameter in parameters.items():
        usual = "Arguments" if _is_argument(parameter) else "Options"
        panel = getattr(parameter, "rich_help_panel", None) or usual
        panels.setdefault(panel, []).append(line)
    return ["\n".join([f"**{panel}**", "", *lines, ""]) for panel, lines in panels.items()]


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _metavar(parameter: Any) -> str:
    choices = getattr(parameter.type, "choices", None)
    name: str = parameter.metavar or ("|".join(map(str, choices)) if choices else parameter.name)
    return name.strip("[]") if parameter.metavar or choices else name.upper()


def _usage(argument: Any) -> str:
    name = _metavar(argument)
    return name if argument.required else f"[{name}]"


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
    """Return the help of a parameter, with its default if it has one that says something."""
    text = _escaped(" ".join((parameter.help or "").split()))
    usual = parameter.default
    unsaid = parameter.required or getattr(parameter, "is_flag", False) or not parameter.show_default
    return text if unsaid or usual in (None, (), [], "") else f"{text} Default: `{usual}`."


def _prose(text: str | None) -> str:
    """Return help as paragraphs; one that is marked to keep its lines, or that shows commands, is a block of code."""
    parts = []
    for paragraph in re.split(r"\n[ \t]*\n", inspect.cleandoc(text or "").strip()):
        kept, lines = "\b" in paragraph, [line.strip("\b") for line in paragraph.split("\n")]
        lines = [line for line in lines if line.strip()]
        if lines and (kept or all(re.match(r"\s*(\$ )?pyasp ", line) for line in lines)):
            margin = min(len(line) - len(line.lstrip()) for line in lines)
            parts += ["".join(f"    {line[margin:]}\n" for line in lines)]
        elif lines:
            parts += [_escaped(" ".join(" ".join(lines).split())) + "\n"]
    return "\n".join(parts)


def _escaped(text: str) -> str:
    """Return text whose stars, brackets and the like Markdown shows as they are; code in backticks is kept."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*<\[\]|])", r"\\\1", part) for part in parts)
