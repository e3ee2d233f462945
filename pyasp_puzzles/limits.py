"""`Limits`, what bounds the sizes, counts and times of input and work, each with its reason."""


class Limits:
    """The limits of the program: `Limits.LONGEST_SIDE`."""

    # -- Files and texts -----------------------------------------------------------------

    # Bytes of a file of boards.
    LARGEST_FILE = 16 * 2**20
    # Bytes of a `puzzle.toml`; a larger file is no declaration.
    LARGEST_DECLARATION = 2**16
    # Bytes of a program, which take a second or two to read.
    LARGEST_PROGRAM = 4 * 2**20
    # Characters of a statement. At 17 700 minus signs, `-----...X`, clingo 5.8.3 overflows a stack of 8 MB and ends the
    # process.
    LONGEST_STATEMENT = 10_000
    # clingo's integers wrap silently beyond this.
    LARGEST_INTEGER = 2**31 - 1
    # Digits of a number of a program that are read; a longer number is too large anyway.
    LONGEST_INTEGER = 40
    # Warnings about one program.
    MOST_WARNINGS = 20
    # Dots in a key of TOML; more are taken for a mistake.
    MOST_DOTS = 100
    # Lines of a file of TOML, and backslashes in it.
    MOST_LINES = 250_000
    # Keys, values, tables, comments and dots of a file; `tomllib` reads that many in a second.
    MOST_PIECES = 250_000
    # Boards of a file.
    MOST_BOARDS = 10_000
    # Cells, words and names of all boards of a file; keys at the top level count once for each board.
    MOST_CELLS_OF_FILE = 250_000
    # Bits of a number; TOML promises no more, and Python refuses to print much larger ones.
    MOST_BITS = 64
    # Parts of the path of a key of TOML; a key below has the line of the table that it is in.
    DEEPEST_PATH = 3
    # Facts of a file; the largest board has fewer, and they are read in a second or two.
    MOST_FACTS = 250_000
    # Lines of a file of facts.
    MOST_LINES_OF_FACTS = 250_000
    # Arguments of a fact; no predicate has that many.
    MOST_ARGUMENTS = 100
    # Lines without content before the first board of a list.
    MOST_PASSED_OVER = 1000
    # Bytes of a line; a file with a longer one is not a list of boards, and is not read further.
    LONGEST_LINE = 2**16
    # Characters of an address or another text of one line; the longest that we have seen has 20 000.
    LONGEST_ADDRESS = 2**17
    # Characters of the longest address in which slashes are tried as doubled.
    LONGEST_REPAIRED = 2**14
    # Slashes of an address that are tried as doubled.
    MOST_SLASHES = 16
    # Characters of a text that is unpacked; the largest puzzles have some 100 000.
    LONGEST_UNPACKED = 2**20
    # Bytes of a drawing when it is inflated; the largest that we have seen has 60 000.
    LARGEST_DRAWING = 2**20
    # Characters of a page with a board.
    LONGEST_PAGE = 100_000
    # Characters of a text of JSON; its cells are counted only after it is read.
    LONGEST_JSON = 2**22
    # How deep arrays and objects may be nested.
    DEEPEST_JSON = 20
    # Characters of a text of XML.
    LONGEST_XML = 2**22
    # How deep elements of XML may be nested.
    DEEPEST_XML = 10
    # Characters that are looked at to recognise Sudokus; a file may have many.
    LONGEST_HEAD = 5000
    # Characters of a text that may be nearly a Sudoku.
    LONGEST_NEARLY_SUDOKU = 5000

    # Pixels of a picture: those of the largest screens; more take too much memory.
    MOST_PIXELS = 40_000_000
    # Pixels of a side of a picture when it is looked at; a larger one is made smaller.
    WIDEST_PICTURE = 2000
    # Rows or columns of the board in a picture; more take seconds, and no screen shows them well.
    LONGEST_SIDE_OF_PICTURE = 30

    # -- Boards --------------------------------------------------------------------------

    # Rows or columns; more are taken for a mistake.
    LONGEST_SIDE = 1000
    # Cells of a grid, and facts of a predicate; a larger one could be read in some seconds, but not searched.
    LARGEST_GRID = 160_000
    # Cells of a board from another program; real ones have a few hundred at most.
    LARGEST_FOREIGN = 10_000
    # Digits of a number in a grid; more are taken for a mistake.
    LONGEST_NUMBER = 9
    # Lines of a key of a board, such as thermometers; real boards have a hundred at most.
    MOST_LINES_OF_KEY = 1000
    # Cells of such a line.
    MOST_CELLS_OF_LINE = 1000
    # Cells of the largest board, unless a kind of answer has a limit of its own.
    LARGEST_BOARD = 160_000
    # Rows or columns of a drawing.
    LONGEST_SIDE_OF_DRAWING = 100
    # The largest side of Solo.
    LONGEST_SOLO = 31
    # Candidates of all cells of the largest board; it grounds in about ten seconds.
    MOST_CANDIDATES = 500_000
    # Cells of the board times the square of the longest strip, at most; such a board grounds in some seconds.
    MOST_STRIPS = 2_000_000
    # Crossings of the smallest Strata board that is searched in the order in which its ribbons come off: on smaller
    # ones, clingo finds an answer in some tenths of a second.
    FEWEST_CROSSINGS_ORDERED = 2500
    # Lines of the largest board that is counted; each further line doubles the time and the memory.
    MOST_RIBBONS_COUNTED = 20
    # The three numbers of a guess are smaller than this.
    GUESS_LIMIT = 10**LONGEST_NUMBER

    # -- What messages and sentences show ------------------------------------------------

    # Characters of a line that are shown in a message.
    WIDEST_EXCERPT = 100
    # Characters of an atom that are shown.
    LONGEST_ATOM = 200
    # Characters that messages show of a text that was given in place of a file's name.
    LONGEST_TEXT_SHOWN = 200
    # Characters of an address of another game.
    LONGEST_ADDRESS_SHOWN = 300
    # Characters of a short id in a message.
    LONGEST_ID = 60
    # Faults that a message names.
    MOST_FAULTS = 3
    # Characters of a sentence in `repr`.
    LONGEST_WORDS_SHOWN = 60
    # Letters of a region's name that are shown on its edge.
    MOST_LETTERS_OF_REGION = 8
    # Cells of a broken rule that its words list.
    MOST_BROKEN_CELLS = 12
    # More clues to add than this are not listed.
    MOST_ADDED = 12
    # Sets of several clues to remove that are listed.
    MOST_REPAIRS = 10
    # Characters of the candidates of a cell that the picture of a step shows.
    LONGEST_LABEL = 4
    # Candidates up to this number have places of their own in a cell.
    MOST_PLACES = 25
    # Letters of a name on the edge of a cell.
    MOST_LETTERS_AT_EDGE = 8
    # Boards on a page; more would be too small to read.
    MOST_PER_PAGE = 24
    # Boards side by side.
    MOST_BESIDE = 5
    # Characters of the name of a file, because a file name has at most 255 bytes. The end is kept, because addresses
    # begin alike.
    LONGEST_STEM = 200
    # Characters of the longest name of an input that the source of a minimized board repeats; an address can be longer.
    LONGEST_SOURCE = 200
    # Contradictory rules that are listed.
    MOST_CONTRADICTORY = 12
    # Lines that a reason names; the others are counted.
    MOST_LINES_GONE = 6
    # Rules that a sentence names; if there are more, it has their number, too.
    MOST_RULES_IN_HINT = 3
    # Ways in which the rules of a step may be base and cover; with more, it has no name.
    MOST_DIVISIONS = 300
    # Placed values that a clause names with their cells; if there are more, it names the values alone.
    MOST_PLACED_NAMED = 2
    # Values of a clause in a short reason; the others are counted.
    MOST_ITEMS = 6
    # Numbers that are listed even if they are all the other numbers of a cell.
    MOST_NUMBERS_LISTED = 4
    # Cells that are asked one by one whether they are cut off; each takes some milliseconds.
    MOST_REACHED = 400
    # Cells that are cut off that a sentence names; of more, it names the one that its rule is about.
    MOST_CUT_OFF = 8
    # Links of a chain that its sentence tells; of more, it says the end, and the links are listed.
    MOST_LINKS_TOLD = 8
    # Numbers left in a cell that are listed; of more, the sentence says the bounds.
    MOST_LEFT_LISTED = 3
    # Cells whose sum has a bound that is worth a word; of fewer, what is left there is said.
    FEWEST_ADDED = 2
    # Choices of numbers that are tried for the largest sum of some cells, which takes some milliseconds.
    MOST_SUMS_TRIED = 3000
    # Values of one cell that are listed; the others are counted.
    MOST_VALUES = 6
    # Conclusions that are listed, each with all its cells; the others are counted.
    MOST_CONCLUSIONS = 5
    # Open atoms of a rule that are listed; with more, the sentence states the rule itself.
    MOST_OPEN_ATOMS = 5
    # Characters of a sentence with its reason. If it would be longer, the reason is cut short or left out.
    LONGEST_SENTENCE = 200
    # Characters of a sentence that says what is left in the cells that the step needs; a longer one leaves that out.
    LONGEST_SENTENCE_WITH_FACTS = 320
    # Places to look at that are named.
    MOST_LOOKED_AT = 3
    # Facts that are listed for a rule that they break.
    MOST_FACTS_LISTED = 6
    # Possibilities that are gone that are listed for a rule that needs one of them.
    MOST_POSSIBILITIES_GONE = 3

    # -- Searches ------------------------------------------------------------------------

    # Threads of a search; clingo takes no more.
    MOST_THREADS = 64
    # The largest limit on models that clingo takes.
    LARGEST_LIMIT = 2**31 - 1
    # Messages that clingo may send. The predicates that they call undefined are not suggested as corrections.
    MOST_MESSAGES = 1000
    # Names that one that is not known is compared with, to suggest what was meant.
    MOST_NAMES_COMPARED = 500
    # Characters of a small program: grounding takes less than 50 ms, solving mostly too, so it needs no thread.
    SMALL_PROGRAM = 8000
    # Models of a small program that are found without a thread.
    FEW_MODELS = 2
    # Seconds for a smaller set of rules that cannot hold together, which lights up fewer cells; and the size of a set
    # that is small enough: two clues, and the rule that they break.
    CLASH_SECONDS = 0.03
    FEW_CLASHING = 3
    # Answers of a board that are looked for at once, for each answer that is counted for a candidate. With more, the
    # candidates are counted one by one.
    ANSWERS_OF_A_CANDIDATE = 8
    # A search in this thread with more conflicts is not quick after all, and starts again in a thread of its own.
    QUICK_CONFLICTS = 2000
    # Seconds. What a user's rules ground in this time is searched without a thread first: many take less than it does.
    QUICK_GROUNDING = 0.1
    # Conflicts before `solve_here` first checks the time; doubled each time.
    FIRST_CONFLICTS = 1000
    # Extra time for a grounding whose observer ends it. If clingo still called the observer when Python exits, the
    # process would crash, so this thread is never left running.
    OBSERVER_SECONDS = 0.3
    # Seconds between checks for Ctrl-C while clingo searches for the next model.
    WAKE_SECONDS = 0.05
    # Decisions per group before the rest is left to clingo: in random order, a few boards take far too many.
    MOST_DECISIONS = 10
    # clingo recurses as deep as terms are nested. A thread takes only as much of its stack as it needs.
    STACK_BYTES = 64 * 2**20
    # The time limit for reasons, if the settings have no shorter one.
    REMARK_SECONDS = 10.0
    # The time limit for clues to add to a board with several answers, unless the settings have one: the fewest are hard
    # to find on a board with few clues.
    ADD_SECONDS = 1.0
    # Answers of a repaired board are counted up to here.
    MOST_REPAIRED_COUNTED = 1000
    # Sets of clues to remove that are searched for.
    MOST_SETS = 30
    # The time limit for the fewest entries to take back from an answer that breaks rules.
    TAKE_BACK_SECONDS = 3.0

    # -- Caches --------------------------------------------------------------------------

    # Symbols in a cache. A call into clingo takes 1 to 5 µs, a look into the cache 0.1.
    MOST_SYMBOLS = 10_000
    # Atoms whose cell and number are cached.
    MOST_ATOMS = 200_000
    # Groundings in the cache.
    MOST_SESSIONS = 8
    # Layouts whose boards are counted.
    MOST_LAYOUTS = 16
    # Boards of a layout before it gets a session.
    FEWEST_FOR_SESSION = 2
    # Boards with the same rules that are grounded before the rules are rewritten. This takes 12 ms, and saves 0.3 ms of
    # each Tectonic and 0.6 ms of each Strimko. A number, and not a time: with several answers, which comes first may
    # depend on it.
    FEWEST_FOR_REWRITING = 10
    # Boards of a session before it is grounded again with clauses. This takes 20 ms, and saves 0.06 to 0.3 ms of each
    # 9x9 Sudoku.
    FEWEST_FOR_CLAUSES = 30
    # Cells of the largest board with clauses. 16x16 Sudokus take 130 ms to ground then, and save 0.15 ms of each.
    LARGEST_CLAUSAL = 100
    # Facts to choose in a session: to assume so many takes a millisecond for each board.
    MOST_CHOSEN = 5000
    # Literals in the rules of a session with facts to choose, for each board that has come; if there are more, the
    # session is given up, and the next is tried when twice as many have come. To ground them takes 40 ms.
    SESSION_LITERALS = 40_000
    # Literals in the rules of the largest such session, which needs 30 MB.
    LARGEST_SESSION = 600_000
    # Shapes of formulas whose consequences are cached.
    MOST_SHAPES = 2000
    # Formulas whose shape is cached: the rules of a few boards.
    MOST_FORMULAS = 5000
    # Pairs of a shape and its known atoms whose consequences are cached.
    MOST_KNOWN = 20_000
    # Layouts whose ground rules are cached.
    MOST_GROUNDINGS = 4
    # Groundings of single boards that are kept for the next question: two of each board while answers are reviewed.
    MOST_ASKED_AGAIN = 6

    # -- Deduction -----------------------------------------------------------------------

    # Literals of a formula. A skyscraper of nine cells has 3402; a path across a board of 5x5 would have millions.
    MOST_LITERALS = 4000
    # Literals of a formula whose consequences are found for its shape; for a larger one it keeps a search of its own.
    MOST_LITERALS_OF_SHAPE = 400
    # How deep unfolded definitions are nested. More could exceed Python's recursion limit.
    MOST_NESTED = 60
    # With at most this many cells, all subsets are tried for the smallest that suffices; with more, it is only minimal.
    MOST_COMBINED = 14
    # With more known cells, it may take long to find the fewest that a rule needs, so time is checked meanwhile.
    MOST_CELLS_OF_SHAPE = 9
    # With more sets of cells, of which each is to have one looked at, the fewest cells are not searched for.
    MOST_COVERED = 8
    # With more open cells, a unit is searched without looking for pairs and triples first.
    MOST_OPEN_OF_UNIT = 9
    # Models of a small program that are kept to answer later questions.
    MOST_MODELS_KEPT = 64
    # With more numbers in all its cells together, the pairs and triples of a unit are left to propagation.
    MOST_ATOMS_OF_UNIT = 300
    # Conflicts after which one rule with its companions is not searched further: a sum over a row, with all that a row
    # holds once, could take minutes, and nobody sees such a step.
    MOST_CONFLICTS_OF_CLOSURE = 300
    # A core with at most this many rules is minimized without searching for a smaller one first.
    FEW_RULES_OF_CORE = 8
    # A proof with more than this many times the rules of the smallest core is not minimized.
    MOST_SPARE = 2
    # So many proofs are minimized each time; further ones only if they have few rules.
    MOST_LONG_PROOFS = 16
    # A minimal proof is minimized in another order, too, if it has at most this many rules more than the smallest core.
    MOST_MORE_RULES = 2
    # Eliminations wait for the placement that rests on them until a step takes more rules than this.
    MOST_RULES_AWAITED = 100
    # The search for a smaller core ends after this many shuffles in a row without one.
    MOST_VAIN = 6
    # How many of the smallest cores are searched for again each time.
    MOST_RETRIED = 10
    # Literals without a core for which one is searched each time, and so many where others have one.
    MOST_NEW_TARGETS = 300
    FEW_NEW_TARGETS = 30
    # Conflicts after which the search for a core is given up at first, and how many times as many come next.
    FEW_CONFLICTS = 300
    MORE_CONFLICTS = 8
    # A finding with more rules than this is not searched for other conclusions.
    MOST_EXTENDED = 30
    # Orders in which rules are minimized; the smallest result is taken.
    MOST_MINIMIZATIONS = 20

    # -- New boards ----------------------------------------------------------------------

    # The time limit for a board, if the settings have none: some wishes can never be met.
    GENERATE_SECONDS = 60.0
    # A board with more cells is graded only if a grade is asked for, because this can take minutes.
    MOST_CELLS_GRADED = 100
    # Clues that a board may have; more take too long to ground.
    MOST_POSSIBLE_CLUES = 100_000
    # Lines that are drawn at once, of which the rules tell those that hold; and those that are made longer by a cell.
    MOST_LINES_DRAWN = 300
    MOST_LINES_MADE_LONGER = 60
    # Values that these lines may have, taken together: each is an atom.
    MOST_VALUES_OF_LINES = 12_000
    # Conflicts after which it is left open for now whether a clue is needed: boards with few numbers and many sums can
    # take minutes. Then each of these clues is left out of a board of its own, where more is known, with this limit.
    MOST_CONFLICTS_OF_CLUE = 2000
    MOST_CONFLICTS_OF_BOARD = 5000
    # Answers among which one is drawn at random. Listing 20 takes as long as fixing one more cell.
    FEW_ANSWERS = 20
    # If a board with at most `SMALL_BOARD` output atoms has at most this many answers, all have the same probability.
    MOST_ANSWERS_LISTED = 5000
    # Output atoms of a board whose answers are listed.
    SMALL_BOARD = 128
    # Conflicts after which a square of a layout remains as it is: a few would take a thousand times as long as others.
    MOST_CONFLICTS = 1000
    # Further changes, after which a layout is given up if the first one still shows.
    MOST_CHANGES = 500
    # Rows, and columns, of the largest new layout.
    LONGEST_SIDE_OF_LAYOUT = 20
    # Cells of the largest block of a new layout that may be asked for.
    LARGEST_BLOCK = 9
    # Answers are counted up to here; layouts with more are equally bad.
    MOST_ANSWERS_COUNTED = 60
    # If there are at most so many layouts, all are tried.
    MOST_LAYOUTS_LISTED = 4096
    # Changes of a layout without fewer answers, after which the search starts anew.
    MOST_VAIN_CHANGES = 150
    # Changes of a single place in a row that give no layout, after which a square is drawn anew: a wall may only be
    # able to move, or a region to swap cells.
    MOST_REFUSED_CHANGES = 20
    # Boards that are started ahead of their turn, per process.
    MOST_AHEAD = 4

    # -- Many boards ---------------------------------------------------------------------

    # How long a chunk should take: longer than sending it, and shorter than people notice.
    CHUNK_SECONDS = 0.1
    # Boards in a chunk.
    LARGEST_CHUNK = 100
    # Facts of the boards in the queue, which bounds its memory.
    MOST_FACTS_QUEUED = 500_000
    # Boards in the queue, however large they are.
    FEWEST_QUEUED = 50
    # How often a board that is sent alone may lose its worker before the board is blamed.
    MOST_TRIES = 2
    # How long the scheduler may take to answer.
    CONNECT_SECONDS = 10
    # Seconds between checks that the scheduler is still there.
    WATCH_SECONDS = 0.5
    # Seconds without input after which the boards read so far are sent.
    PAUSE_SECONDS = 0.02
    # Boards that are read ahead from standard input.
    MOST_READ_AHEAD = 1000
    # Recent messages that are remembered, so that they are not repeated.
    MOST_REMEMBERED = 100
    # How long nothing is written before progress is shown.
    PROGRESS_SECONDS = 1.0

    # -- The studio ----------------------------------------------------------------------

    # Bytes of a question: a board, its rules and its entries.
    LARGEST_QUESTION = 2**18
    # Bytes of a larger one that are read, so that the page is told that it is too large.
    MOST_DISCARDED = 2**22
    # Seconds of a question without a limit of its own, and at most.
    QUESTION_SECONDS = 10
    MOST_QUESTION_SECONDS = 60
    # Seconds after its limit until a question is ended from outside.
    OVERRUN_SECONDS = 0.5
    # Seconds in which a question that was dropped may end by itself; most do, and their process keeps what it knows.
    DROPPED_SECONDS = 0.1
    # Seconds until a process that has answered is ready again.
    READY_SECONDS = 1.0
    # Bytes of address space of a process.
    FORK_MEMORY = 2 * 2**30
    # Bytes of a record; the picture of the largest board that is drawn has a million.
    LONGEST_RECORD = 2**26
    # Questions that are worked on at a time; each may take all the memory of a process.
    MOST_AT_WORK = 4
    # Processes that are started ahead; starting one takes as long as many answers.
    SPARE_PROCESSES = 2
    # Boards of a text that are shown, answers that are asked for at once, and those that have more than their cells.
    MOST_BOARDS_READ = 200
    MOST_ANSWERS_ASKED = 100_000
    MOST_ANSWERS_DRAWN = 200
    # Answers that are counted for a candidate.
    MOST_COUNTED = 100
    # Seconds to look for errors in rules while somebody types.
    DIAGNOSE_SECONDS = 2
    # Questions that wait; a page asks a few at a time.
    MOST_QUESTIONS_WAITING = 32
    # Connections without a request; of more, the one that has been without for the longest is closed.
    MOST_IDLE = 100
    # Seconds in which the head of a request must have come, and then the rest.
    REQUEST_SECONDS = 10
    # Seconds until a connection that is not used is closed: seldom in the moment in which a page uses it again.
    IDLE_SECONDS = 300
