"""The reference: a plain, slow codec that interprets the model, to judge the generated ones by.

How frames are read, so that every implementation gives the same verdict:

1. Messages are told apart by their marks: constants at a fixed place. All messages of a part are
   looked at; only where some share a wire form, those that the sender may say. Where several fit,
   those with an impossible number of frames fall out, and of the rest the one with the most
   marked octets wins. What only a message of the other side fits so well is an unknown `command`.
2. Where none fits, the first mark that all share and that is not there is a wrong `constant`.
   When all of those are there, the `command` is unknown, at the mark where the last candidate
   falls out. A mark whose frame is missing is a wrong `frame-count`.
3. Then the number of frames is judged, then the fields from left to right, and behind the last
   field of a frame nothing may be left.
4. A refusal is placed where its field begins; inside a list or dictionary, where the item begins.
"""

from zwire_codegen.reference.codec import Reference
from zwire_codegen.reference.refusal import Refusal

__all__ = ["Reference", "Refusal"]
