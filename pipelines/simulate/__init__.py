"""A simulated gaming day with an answer key: house-correct rounds, mistakes planted in some, and what must be found.

Nothing here asks the auditor: what a mistake must be found as is written down by the one who plants it.
"""
