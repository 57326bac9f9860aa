"""The compiler: from a protocol document to a checked model, and from the model to code."""
