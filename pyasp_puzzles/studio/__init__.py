"""The studio: a page on this computer to play, set and solve boards on, and to edit their rules.

server     what the browser gets, and who may ask for it
processes  the processes that answer its questions, and their limits
"""
