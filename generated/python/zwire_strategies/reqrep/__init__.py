"""Hypothesis strategies for REQREP; made by `zwire generate`."""
