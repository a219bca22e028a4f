"""The web application: sign-in, the questions, the wall of each, standings, pages.

app       puts it together                       render     templates → HTML
security  headers, requests of other sites       wall_view  a wall as JSON, what confirming it means
language  Russian or English for each request    work       what is left, which question is next
sessions  who is asking, and what they may do    live       changes as server-sent events
errors    one shape for everything that fails    keys       the keyboard, in one list

`views` and `results` answer with pages, `api` and `pictures` with data. The browser's part lies in
`static`: plain ES modules and CSS, served as they are.
"""
