"""`docs/command.md`, made from the help of the commands; `python -m tests.documents --write` writes it."""

import inspect
import re
from typing import Any

import typer

from pyasp_puzzles.cli import application

HEAD = """\
# The pyasp command

Every command, its arguments and its options, as `pyasp COMMAND --help` prints them. `python -m tests.documents --write`
makes this page from the help texts.

"""
TAIL = """\
## Exit codes

| code | meaning                                                                |
|------|------------------------------------------------------------------------|
| 0    | success                                                                |
| 1    | some board has no answer, or not the answer that the command asks for  |
| 2    | bad input or bad usage                                                 |
| 3    | out of time                                                            |
| 130  | interrupted                                                            |

[json.md](json.md#exit-codes) has the details.

## Environment

- `PYASP_PUZZLES`: directories of your own puzzles, separated as in `PATH`; see [adding a puzzle](adding-a-puzzle.md).
- `NO_COLOR`: if set and not empty, output has no color. Output that is not a terminal never has.
"""


def page() -> str:
    """Return the page, as Markdown."""
    group: Any = typer.main.get_command(application())
    names = [name for name, command in group.commands.items() if not command.hidden]
    index = "".join(f"- [`pyasp {name}`](#pyasp-{name}): {_summary(group.commands[name])}\n" for name in names)
    usage = "    pyasp [OPTIONS] COMMAND [ARGUMENTS]\n"
    top = "\n".join(filter(None, [_prose(group.help), usage, index, *_parameters(group), _prose(group.epilog)]))
    parts = [_section(name, group.commands[name]) for name in names]
    return HEAD + "\n".join([top, *parts, TAIL])


def _section(name: str, command: Any) -> str:
    """Return what there is about one command."""
    arguments = [parameter for parameter in command.params if _is_argument(parameter)]
    words = ["pyasp", name, "[OPTIONS]", *map(_usage, arguments)]
    usage = f"    {' '.join(words)}\n"
    parts = [_prose(command.help), usage, *_parameters(command), _prose(command.epilog)]
    return f"## pyasp {name}\n\n" + "\n".join(filter(None, parts))


def _parameters(command: Any) -> list[str]:
    """Return the arguments and options of a command, as a list for each panel."""
    panels: dict[str, list[str]] = {}
    for parameter in command.params:
        if getattr(parameter, "hidden", False):
            continue
        usual = "Arguments" if _is_argument(parameter) else "Options"
        panel = getattr(parameter, "rich_help_panel", None) or usual
        panels.setdefault(panel, []).append(f"- {_name(parameter)}: {_help(parameter)}")
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


def _name(parameter: Any) -> str:
    if _is_argument(parameter):
        return f"`{_usage(parameter)}`"
    value = "" if parameter.is_flag or parameter.count else f" {_metavar(parameter)}"
    *short, long = sorted([*parameter.opts, *parameter.secondary_opts], key=len)
    return ", ".join(f"`{name}`" for name in [*short, f"{long}{value}"])


def _help(parameter: Any) -> str:
    """Return the help of a parameter, with its default if it has one that says something."""
    text = _escaped(" ".join((parameter.help or "").split()))
    usual = parameter.default
    unsaid = parameter.required or getattr(parameter, "is_flag", False) or not parameter.show_default
    return text if unsaid or usual in (None, (), [], "") else f"{text} Default: `{usual}`."


def _summary(command: Any) -> str:
    """Return the first paragraph of a command's help, on one line."""
    paragraph = inspect.cleandoc(command.help or "").partition("\n\n")[0]
    return _escaped(" ".join(paragraph.split()))


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
