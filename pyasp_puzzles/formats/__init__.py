"""Text and data to instances: TOML, facts, lists of Sudokus, Python data."""
