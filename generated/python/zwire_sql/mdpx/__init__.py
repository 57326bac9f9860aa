"""Spark SQL for MDPX; made by `zwire generate`."""
