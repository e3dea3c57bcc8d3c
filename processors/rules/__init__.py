"""The machinery that loads dated, cited rule files. Not the rules: those stand beside each game."""
