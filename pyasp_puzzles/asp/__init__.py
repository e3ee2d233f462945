"""Programs for clingo: settings, grounding, searching, cores, error messages. This layer knows no puzzle."""
