"""Spark SQL for REQREP; made by `zwire generate`."""
