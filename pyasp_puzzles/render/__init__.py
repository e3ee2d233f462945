"""Answers as text: pure functions from data to lines."""
