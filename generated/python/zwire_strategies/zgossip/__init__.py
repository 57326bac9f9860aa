"""Hypothesis strategies for ZGOSSIP; made by `zwire generate`."""
