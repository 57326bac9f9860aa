"""The model written back out as a document that reads in again to the same model."""

from zwire_codegen.backends.document.writing import write_document

__all__ = ["write_document"]
