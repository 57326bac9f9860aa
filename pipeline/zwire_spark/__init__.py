"""Spark jobs over captured traffic."""
