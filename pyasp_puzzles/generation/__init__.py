"""New boards, and boards with fewer clues: layouts, random answers, minimal clues, grades."""
