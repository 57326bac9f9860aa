"""Readers: what a document says, as trees with places."""
