"""Reasons: steps, hints, grades and resolution, from the named rules of an encoding."""
