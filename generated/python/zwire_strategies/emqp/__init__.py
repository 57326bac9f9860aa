"""Hypothesis strategies for eMQP; made by `zwire generate`."""
