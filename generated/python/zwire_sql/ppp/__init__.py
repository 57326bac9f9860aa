"""Spark SQL for PPP; made by `zwire generate`."""
