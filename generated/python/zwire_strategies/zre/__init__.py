"""Hypothesis strategies for ZRE; made by `zwire generate`."""
