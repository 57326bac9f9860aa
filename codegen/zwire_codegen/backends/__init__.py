"""Back ends: from a finished model to files."""
