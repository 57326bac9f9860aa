"""Spark SQL for MDP 0.2; made by `zwire generate`."""
