"""Spark SQL for ZGOSSIP; made by `zwire generate`."""
