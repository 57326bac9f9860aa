"""Findings about tables, dialog blocks, boxes, settings and errata (ZW3xx)."""

from __future__ import annotations

from zwire_codegen.codes.entry import ERROR, NOTE, WARNING, Entry

ENTRIES = (
    Entry(
        "ZW301",
        ERROR,
        "settings are not TOML",
        "A `zwire` block is TOML.",
        '[part]\nname = "client"',
        "[part]\nname = client",
    ),
    Entry(
        "ZW302",
        ERROR,
        "unknown setting",
        "A table or key of a `zwire` block that nothing reads, most often a slip of the pen.",
        '[conversation]\nopens = ["registration"]',
        '[conversation]\nopen = ["registration"]',
    ),
    Entry(
        "ZW303",
        ERROR,
        "setting has the wrong kind of value",
        "The value of a setting is a text where a list is wanted, or the like.",
        '[conversation]\ncloses = ["DISCONNECT"]',
        '[conversation]\ncloses = "DISCONNECT"',
    ),
    Entry(
        "ZW304",
        ERROR,
        "row of a frame table is not understood",
        "A row has a frame number (`0`, or `4+` for all further frames), a value, a name and a "
        "meaning.",
        "| 0 | %x01 | | the command |",
        "| first | %x01 | | the command |",
    ),
    Entry(
        "ZW305",
        WARNING,
        "declared frame count differs from the rows",
        "The text that introduces a command says how many frames it has, and its table or list "
        "shows another number.",
        "A PING command consists of 2 frames\n* Frame 0: header\n* Frame 1: command",
        "A PING command consists of 3 frames\n* Frame 0: header\n* Frame 1: command",
    ),
    Entry(
        "ZW306",
        NOTE,
        "code block left alone",
        "The block is neither a grammar, a dialog, a table nor a box of octets.",
        "```abnf\nPING = %x01\n```",
        "```\nservice-name=tcp://address:port\n```",
    ),
    Entry(
        "ZW307",
        NOTE,
        "erratum applied",
        "A known slip of the document was mended before reading. `--no-errata` turns this off.",
        "PING = header %x06",
        "PING = header %06",
    ),
    Entry(
        "ZW308",
        ERROR,
        "passage of an erratum is missing",
        "An erratum or supplement quotes a passage which the document does not have (or has more "
        "than once), so it may be meant for another version of it.",
        '# the document says: header %06\n[[erratum]]\nfind = "header %06"',
        '# the document says: header %06\n[[erratum]]\nfind = "header %09"',
    ),
    Entry(
        "ZW309",
        ERROR,
        "errata file is not understood",
        "The file is not TOML of the form that docs/notation.md describes.",
        '[[erratum]]\nfind = "%06"\nreplace = "%x06"\nwhy = "the base is missing"',
        '[[erratum]]\nfind = "%06"',
    ),
    Entry(
        "ZW310",
        ERROR,
        "value of a frame is not understood",
        "The value cell of a frame is one ABNF element: a constant, a rule of the part, "
        '`*OCTET`, `*VCHAR`, `""` or `FRAME`. A row `4+` stands for frames that nobody looks into: '
        "`*OCTET`, `1*FRAME` or `*FRAME`.",
        "| 1+ | *OCTET | body | the frames of the request |",
        "| 1+ | *VCHAR | body | the frames of the request |",
    ),
    Entry(
        "ZW311",
        ERROR,
        "frame table without a command",
        "A frame table stands below a heading (or behind a sentence) that names its command.",
        "### READY\n\n| Frame | Value | Name | Meaning |",
        "| Frame | Value | Name | Meaning |",
    ),
    Entry(
        "ZW312",
        ERROR,
        "frames out of order",
        "Frames are numbered from 0 without a gap, and nothing follows a row that stands for all "
        "further frames.",
        "| 0 | %x01 | | |\n| 1 | FRAME | body | |",
        "| 0 | %x01 | | |\n| 2 | FRAME | body | |",
    ),
    Entry(
        "ZW313",
        WARNING,
        "box of octets is not understood",
        "A cell of an ASCII box is a character, a numeric value, or the name of something whose "
        "length the document tells.",
        "+---+---+------+\n| Z | R | %x01 |\n+---+---+------+",
        "+---+---+------+\n| Z | R | 0xXY |\n+---+---+------+",
    ),
    Entry(
        "ZW314",
        NOTE,
        "supplement applied",
        "What the document says only in prose was added in our notation, anchored to the passage "
        "that says it.",
        "READY = %x01",
        "READY consists of a message with the single byte 0x01.",
    ),
    Entry(
        "ZW315",
        ERROR,
        "dialog block is not understood",
        "A dialog block has lines `C: REQUEST` and `Repeat:`, or is ABNF whose names have roles.",
        "Repeat:\n    C: REQUEST\n    B: REPLY",
        "Repeat:\n    C: REQUEST\n    the broker thinks\n    B: REPLY",
    ),
    Entry(
        "ZW316",
        WARNING,
        "value is told in words only",
        "The text of a frame names it without saying what octets it may hold, so any are taken. A "
        "`[[cell]]` in an errata file settles it.",
        '* Frame 0: "ABC1" (four bytes)',
        "* Frame 0: Protocol name and version",
    ),
    Entry(
        "ZW317",
        NOTE,
        "errata for another document",
        "An errata file that was given names another document than this one, so it was not used.",
        "zwire lint 20-zre.txt --errata zre.toml",
        "zwire lint 6-ppp.txt --errata zre.toml",
    ),
    Entry(
        "ZW318",
        WARNING,
        "code block without an end",
        "A fence or `[[code]]` is opened and never closed, so all that follows belongs to it.",
        "```abnf\nsize = OCTET\n```",
        "```abnf\nsize = OCTET",
    ),
)
