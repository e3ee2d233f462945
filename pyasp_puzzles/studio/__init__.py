"""The studio: a page in the browser with boards, rules and answers side by side.

server     what the browser gets, and who may ask for it
questions  the questions, and their answers as records
processes  the processes that answer questions, for asyncio
editing    what the page needs to know of a board to show and to edit it
page       the files of the page
"""
