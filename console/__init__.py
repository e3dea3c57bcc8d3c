"""For people: the command line and what it reads."""
