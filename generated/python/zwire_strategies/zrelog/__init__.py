"""Hypothesis strategies for ZRE/LOG; made by `zwire generate`."""
