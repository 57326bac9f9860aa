"""Spark SQL for MDP 0.1; made by `zwire generate`."""
