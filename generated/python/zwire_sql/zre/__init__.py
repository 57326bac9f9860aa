"""Spark SQL for ZRE; made by `zwire generate`."""
