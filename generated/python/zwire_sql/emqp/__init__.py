"""Spark SQL for eMQP; made by `zwire generate`."""
