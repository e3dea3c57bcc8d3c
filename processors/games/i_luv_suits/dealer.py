"""Deals I Luv Suits."""
