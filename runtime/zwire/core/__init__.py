"""Engines: they are told facts and the time, and return decisions."""
