"""Hypothesis strategies for MDPX; made by `zwire generate`."""
