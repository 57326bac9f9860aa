"""Writes Spark SQL that decodes captured frames without any Python in the way."""
