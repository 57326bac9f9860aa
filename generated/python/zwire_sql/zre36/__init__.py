"""Spark SQL for 36/ZRE; made by `zwire generate`."""
