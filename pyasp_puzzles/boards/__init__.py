"""What boards are made of: grids of tokens, facts, and tables of keys; knows no puzzle."""
