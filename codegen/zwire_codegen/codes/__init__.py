"""The entries of the catalogue of findings, one module per range of codes."""
