"""Dialects: frames to events and effects to frames, one module a protocol."""
