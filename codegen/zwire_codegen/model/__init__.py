"""The language-neutral model of a protocol."""
