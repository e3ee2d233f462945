"""Boards as other programs write them: made for this project, or by the programs themselves where that is said."""

import base64
import json
import zlib

from pyasp_puzzles.model.keys import Key
from pyasp_puzzles.puzzles.keys import key_kind_name


def packed(text: str) -> str:
    """Return a text as Penpa+ packs it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode()


def penpa(
    head: str,
    cells: str,
    problem: dict[str, object],
    *,
    solution: str = "",
    tags: tuple[str, ...] = (),
    answer: object = None,
) -> str:
    """Return an address as Penpa+ writes it for solvers, without its settings."""
    drawing = json.dumps(problem, separators=(",", ":")).replace('"number"', "zN").replace('"lineE"', "zE")
    lines = [head, "[0,0,0,0]", '["1","2","1"]~zN~["1",2]', drawing, solution, cells, "[]", "{}", '"x"', '"x"']
    lines += ["[3,2,4]", "{}", '"x"', "0", "{}", "x", "{}", json.dumps(tags), "false"]
    checked = f"&a={packed(json.dumps(answer))}" if answer is not None else ""
    return f"https://swaroopg92.github.io/penpa-edit/#m=solve&p={packed(chr(10).join(lines))}{checked}"


# A puzzle with cages, of a user.
KILLER = {
    "killer/puzzle.toml": """
summary = "A Sudoku with cages, whose numbers differ and have a sum."
square = true

[answer]
kind = "numbers"
output = "value(R, C, V)"
range = "1..rows"

[keys.regions]
kind = "regions"
fact = "region(R, C, S)"
size = "rows"
boxes = true

[keys.givens]
kind = "givens"
fact = "given(R, C, V)"
required = true

[keys.cages]
kind = "regions"
fact = "cage(R, C, N)"
every = false

[keys.sums]
kind = "sums"
fact = "sum(N, T)"
of = "cages"
""",
    "killer/killer.lp": """
% Input:   region(R, C, B)   cell R,C is in box B
%          given(R, C, V)    V is printed in cell R,C       (optional)
%          cage(R, C, K)     cell R,C is in cage K          (optional)
%          sum(K, T)         the numbers of cage K add to T (optional)
%          relaxed(Rule)     Rule may be violated           (optional)
% Output:  value(R, C, V)    V is the number in cell R,C
#defined given/3.
#defined cage/3.
#defined sum/2.
#defined relaxed/1.
size(N) :- N = #max { R : region(R, _, _) }.
side(N) :- size(N).
number(1..N) :- size(N).
{ value(R, C, 1..N) } :- region(R, C, _), size(N).

unit(row(R), R, C) :- region(R, C, _).
unit(col(C), R, C) :- region(R, C, _).
unit(box(B), R, C) :- region(R, C, B).

violated(cell(R, C))   :- region(R, C, _), { value(R, C, V) } != 1.
violated(once(U, V))   :- unit(U, _, _), size(N), V = 1..N, { value(R, C, V) : unit(U, R, C) } != 1.
violated(twice(K, V))  :- cage(_, _, K), size(N), V = 1..N, { value(R, C, V) : cage(R, C, K) } > 1.
violated(total(K))     :- sum(K, T), #sum { V, R, C : value(R, C, V), cage(R, C, K) } != T.
violated(given(R, C))  :- given(R, C, V), not value(R, C, V).
% No rule may be violated; pyasp relaxes rules to see which force what.
:- violated(Rule), not relaxed(Rule).
""",
}

FORMATS = (
    *("f-puzzles", "grid", "iss", "janko", "json", "line", "lp", "non", "opensudoku", "penpa", "picture", "puzzlink"),
    *("sdk", "sdm", "solo", "ss", "sudokumaker", "sudokupad", "tatham", "toml"),
)
# Texts that are recognised, by format and what is special about them.
TEXTS = {
    "puzzlink": "https://puzz.link/p?sudoku/4/4/g1k23k3g",
    "puzzlink suguru": "https://puzz.link/p?suguru/3/3/cgb02n",
    "penpa": penpa(
        "square,4,4,38,0,1,1,190,190,91,91,0,0,0,0,Title: PuzZzZle%2C easy,Author: Jo,,One.%2DTwo %2E three.,OFF,false",
        "[18,1,1,1,5,1,1,1,5,1,1,1,5,1,1,1]",
        {"number": {"18": ["1", 1, "1"], "28": ["2", 1, "1"], "43": ["3", 1, "1"]}},
        tags=("classic",),
    ),
    "iss": ".Shape~4x4.Thermo~R1C1~R1C2.Diagonal~1.~R4C4_3~R2C3_1",
    "solo": "2x2:b2b3d1b4b",
    "solo jigsaw": "5j:4f1b2c1b5f3,_e____c_caa_a___a_abb",
    "solo X": "3x3x:2e5b6_9b8h5a8_6c9b5a7_6c2a3c1_6a9b2c1_2a3h2b3_9b4e5",
    "line": "43.....8....7.....9.........67..........8.2.......4.3.......7462.5..............1 seventeen",
    "line of four": "1.........2...3.",
    "sdm": "016400000200009000400000062070230100100000003003087040960000005000800007000006820\n" * 2,
    "sdk": "#AJo\n#DExample\n[Puzzle]\n2..1.5..3\n.54...71.\n.1.2.3.8.\n6.28.73.4\n.........\n1.53.98.6\n"
    ".2.7.1.6.\n.81...24.\n7..4.2..1\n",
    "ss": "1..|...|7..\n.2.|...|5..\n6..|38.|...\n-----------\n.78|...|...\n...|6.9|...\n...|...|14.\n-----------\n"
    "...|.25|..9\n..3|...|.6.\n..4|...|..2\n",
    "opensudoku": '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n  <name>Two</name>\n  <game data="'
    "016400000200009000400000062070230100100000003003087040960000005000800007000006820"
    '" />\n  <game data="'
    "049008605003007000000000030000400800060815020001009000010000000000600400804500390"
    '" />\n</opensudoku>\n',
    "janko": "begin\npuzzle suguru\nauthor Jo\nsize 3\nproblem\n2 - -\n- - -\n- - 1\nareas\n1 1 2\n1 2 2\n3 3 2\nend\n",
    "non": 'title "Two"\nwidth 3\nheight 2\n\nrows\n1,1\n1\n\ncolumns\n2\n0\n1\n\ngoal "101100"\n',
    "grid": "1 . . .\n. . 2 .\n. . . .\n. 3 . .\n",
    "json": '{"puzzle": "sudoku", "givens": [[1, null, null, null], [null, null, 2, null], [null, null, null, null],'
    " [null, 3, null, null]]}\n",
    "toml": 'puzzle = "tectonic"\nblocks = """\nA A B\nA B B\nC C B\n"""\n',
    "lp": "% puzzle: sudoku\n% variants: diagonal\nstream(1,1,a). stream(1,2,a).\nstream(2,1,b). stream(2,2,b).\n",
    "f-puzzles": '{"size":4,"title":"F","grid":[[{"value":1,"given":true},{},{},{}],[{},{},{},{}],[{},{},{},{}],'
    '[{},{},{},{"value":2,"given":true}]],"diagonal+":true,"diagonal-":true,"antiknight":true}',
    "sudokumaker": '{"puzzle":{"type":"sudoku","cells":[{"given":true,"value":1},null,{},{},{},{},{},{},{},{},{},{},{},'
    '{},{},{}],"constraints":[{"type":1,"regions":[0,0,1,1,0,0,1,1,2,2,3,3,2,2,3,3]},{"type":300,"thermometers":[[0,1,'
    "6]]}]}}",
    "sudokupad": '{"cells":[[{"value":"1"},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"regions":'
    "[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],"
    '"metadata":{"title":"S","antiking":true}}',
    "sudokupad classic": "https://sudokupad.app/classicB6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B",
    "sudokupad scf": "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79",
    "f-puzzles packed": "N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3PgIm9hk0UM6zR4rssW0iQA=",
    "sudokupad short": "{ce:[[{v:1},,,],[,,,],[,,,],[,,,{v:2}]],re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],"
    "[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],metadata:{t:'It\\'s short',author:'Jo'},"
    "ca:[{v:'rules: None'}]}",
}


# A value of a key, by its kind.
EXAMPLES = {
    "paths": '"r1c1 r1c2 r2c3"',
    "cages": '"r1c1 r1c2 r2c1"',
    "groups": '"r1c1 r1c2 = r3c3 r3c4"',
    "pairs": '"r1c1 r1c2 = 3"',
    "corners": '"r1c1 = 1 2 2"',
    "marks": '"r1c1 r2c3"',
    "candidates": '"r1c1 = 1 2 4"',
    "sights": '{ top = "8 . . 5", left = ". 3 . ." }',
}


def example(key: Key) -> str:
    """Return a value of a key of a board of 4x4."""
    kind = key_kind_name(key.kind)
    words = EXAMPLES[kind]
    if key.option("directions"):
        return '"r1c1 dr = 20"'
    if key.option("tokens"):
        return words.replace("= 3", f"= {key.options['tokens'][0]}")
    if key.option("head"):
        return '"r1c1 > r1c2 r2c3"'
    if kind == "pairs" and key.option("default") is None:
        return '"r1c1 r1c2"'
    value = key.option("value")
    if value is not None:
        number = "1124" if len(value.arguments) > 2 else "5"
        return f'{words[:-1]} = {number}"'
    return words
