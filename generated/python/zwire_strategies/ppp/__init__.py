"""Hypothesis strategies for PPP; made by `zwire generate`."""
