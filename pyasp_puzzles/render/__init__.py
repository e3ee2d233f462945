"""Boards and answers as text, SVG and HTML: functions from data to text."""
