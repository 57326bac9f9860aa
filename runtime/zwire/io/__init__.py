"""Shells: sockets and clocks around the engines."""
