"""zwire: protocol stacks for ZeroMQ, generated from their specifications."""

__version__ = "0.1.0"
