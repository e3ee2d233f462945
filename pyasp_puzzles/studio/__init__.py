"""The studio: a page in the browser on which boards, rules and answers stand side by side."""
