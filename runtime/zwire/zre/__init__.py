"""ZRE engines."""
