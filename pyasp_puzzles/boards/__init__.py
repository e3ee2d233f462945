"""The parts of a board: grids of tokens, facts, and the keys of a TOML table."""
