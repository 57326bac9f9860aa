"""Hypothesis strategies for all messages; made by `zwire generate`."""
