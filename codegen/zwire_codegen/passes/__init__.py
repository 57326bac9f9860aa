"""Passes: from what was read to a finished model, collecting problems."""
