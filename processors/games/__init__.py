"""One folder = one game, found by itself and registered nowhere."""
