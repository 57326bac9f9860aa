"""Spark SQL for ZRE/LOG; made by `zwire generate`."""
