"""Explanations, hints, grades and resolution, by deduction from the named rules of an encoding."""
