"""`Limits`, what bounds the sizes, counts and times of input and work, each with its reason."""


class Limits:
    """The limits of the program: `Limits.LONGEST_SIDE`."""

    # -- Files and texts -----------------------------------------------------------------

    # clingo's integers wrap silently beyond this.
    LARGEST_INTEGER = 2**31 - 1
    # Warnings about one program.
    MOST_WARNINGS = 20
    # Boards of a file.
    MOST_BOARDS = 10_000
    # Bytes of a line; a file with a longer one is not a list of boards, and is not read further.
    LONGEST_LINE = 2**16
    # Characters of an address or another text of one line; the longest that we have seen has 20 000.
    LONGEST_ADDRESS = 2**17

    # -- Boards --------------------------------------------------------------------------

    # Rows or columns; more are taken for a mistake.
    LONGEST_SIDE = 1000
    # Cells of a grid, and facts of a predicate; a larger one could be read in some seconds, but not searched.
    LARGEST_GRID = 160_000
    # Digits of a number in a grid; more are taken for a mistake.
    LONGEST_NUMBER = 9

    # -- What messages and sentences show ------------------------------------------------

    # Characters of an atom that are shown.
    LONGEST_ATOM = 200
    # Sets of several clues to remove that are listed.
    MOST_REPAIRS = 10
    # Characters of the name of a file, because a file name has at most 255 bytes. The end is kept, because addresses
    # begin alike.
    LONGEST_STEM = 200
    # Contradictory rules that are listed.
    MOST_CONTRADICTORY = 12
    # Values of one cell that are listed; the others are counted.
    MOST_VALUES = 6
    # Characters of a sentence with its reason. If it would be longer, the reason is cut short or left out.
    LONGEST_SENTENCE = 200
    # Characters of a sentence without a list.
    LONGEST_STEP = 250

    # -- Caches --------------------------------------------------------------------------

    # Symbols in a cache. A call into clingo takes 1 to 5 µs, a look into the cache 0.1.
    MOST_SYMBOLS = 10_000
    # Files of rules that are kept as text: those of a board with several variants, and their companions.
    MOST_SOURCES = 256
    # Shapes of formulas whose consequences are cached.
    MOST_SHAPES = 2000

    # -- Deduction -----------------------------------------------------------------------

    # Conflicts in the search for what a rule and those over the same cells force. A sum over a row with its
    # all-different rule could take minutes, and nobody sees such a step.
    MOST_CONFLICTS_OF_GROUP = 300
    # Conflicts in the minimization of a step that is printed.
    MOST_CONFLICTS_OF_STEP = 10_000
    # Shuffles in a row that find no smaller core, after which minimization ends.
    MOST_VAIN = 6

    # -- The studio ----------------------------------------------------------------------

    # Bytes of a question: a board, its rules and its entries.
    LARGEST_QUESTION = 2**18
    # Seconds of a question without a limit of its own, and at most.
    QUESTION_SECONDS = 10
    MOST_QUESTION_SECONDS = 60
