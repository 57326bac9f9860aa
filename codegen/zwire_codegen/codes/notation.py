"""Findings about files (ZW0xx), the syntax of ABNF (ZW1xx) and tolerances (ZW2xx)."""

from __future__ import annotations

from zwire_codegen.codes.entry import ERROR, WARNING, Entry

ENTRIES = (
    Entry(
        "ZW001",
        ERROR,
        "file cannot be read",
        "The path does not exist, is no file, or may not be read.",
        "zwire lint grammars/zre.md",
        "zwire lint grammars/zer.md",
    ),
    Entry(
        "ZW002",
        ERROR,
        "file is not text",
        "A document is UTF-8 text, with or without a byte order mark and with any line ends. "
        "Octets that are not UTF-8, or NUL characters, are refused before anything else is read.",
        "# A protocol\n\nsaved as UTF-8",
        "\\x7fELF\\x02\\x01\\x01\\x00…",
    ),
    Entry(
        "ZW003",
        ERROR,
        "document is too large",
        "A document of more than 4 MiB is refused before it is parsed.",
        "a document of some pages",
        "a document of five million octets",
    ),
    Entry(
        "ZW004",
        ERROR,
        "nested too deep",
        "Groups and options may be nested 200 deep; more is refused before it is parsed.",
        "a = (b (c))",
        "a = ((((…((b))…))))",
    ),
    Entry(
        "ZW005",
        WARNING,
        "document has no protocol in it",
        "Nothing in the document is a grammar block, a frame table, a dialog or a box of octets, "
        "so there is no model of it.",
        "```abnf\nHELLO = %x01\n```",
        "Just prose.",
    ),
    Entry(
        "ZW006",
        WARNING,
        "folder has no documents",
        "A folder is searched for files named `*.md` and `*.abnf`, and has none.",
        "docs/\n    protocol.md",
        "docs/\n    protocol.docx",
    ),
    Entry(
        "ZW101",
        ERROR,
        "syntax error",
        "The text is not ABNF at this place. Reading goes on at the next rule, so one mistake "
        "hides no other.",
        "greeting = HELLO *ping",
        "greeting = = HELLO",
    ),
    Entry(
        "ZW102",
        ERROR,
        "something opened is not closed",
        "A quoted string, a prose value, a group or an option lacks its end.",
        'tag = %s"PING"',
        'tag = %s"PING',
    ),
    Entry(
        "ZW103",
        ERROR,
        "number is not one, or too large",
        "A numeric value has digits of another base, or is larger than any character "
        "(%x10FFFF); a repeat asks for a billion times or more.",
        "id = %b101",
        "id = %b102",
    ),
    Entry(
        "ZW104",
        ERROR,
        "repeat or range is upside down",
        "The upper bound of a repeat or range is below the lower one.",
        "digit = %x30-39\nword = 2*4ALPHA",
        "digit = %x39-30\nword = 4*2ALPHA",
    ),
    Entry(
        "ZW105",
        ERROR,
        "rule has no definition",
        "A name and `=` are followed by nothing.",
        "size = OCTET",
        "size =",
    ),
    Entry(
        "ZW106",
        ERROR,
        "not strict ABNF",
        "The form is understood, but neither RFC 5234 nor RFC 7405 has it. Published documents "
        "are read with such tolerances (`ZW2xx`); our own grammars are not.",
        "level = ERROR / INFO",
        "level = ERROR | INFO",
    ),
    Entry(
        "ZW107",
        ERROR,
        "too many errors",
        "A block with a thousand errors is not read to its end: most likely it is no grammar.",
        "a = b",
        "a =\na =\na =\n… a thousand times",
    ),
    Entry(
        "ZW201",
        WARNING,
        "`|` between alternatives",
        "ABNF separates alternatives by `/`.",
        "level = ERROR / INFO",
        "level = ERROR | INFO",
    ),
    Entry(
        "ZW202",
        WARNING,
        "role prefix in a wire grammar",
        "`S:HELLO` says who sends HELLO, which ABNF cannot. Dialog blocks may; a block of wire "
        "rules should not.",
        "HELLO = header %x01",
        "S:HELLO = header %x01",
    ),
    Entry(
        "ZW203",
        WARNING,
        "`_` in a name",
        "Names in ABNF have letters, digits and hyphens. A name with `_` is read as the same name "
        "with `-`.",
        "key-value = string",
        "key_value = string",
    ),
    Entry(
        "ZW204",
        WARNING,
        "number without a base",
        "`%06` lacks the letter that says in which base the digits are; it is read as hexadecimal.",
        "PING = header %x06",
        "PING = header %06",
    ),
    Entry(
        "ZW205",
        WARNING,
        "quoted text behind a number's base",
        "`%d'M'` is no numeric value; it is read as the exact text.",
        'tag = %s"M"',
        "tag = %d'M'",
    ),
    Entry(
        "ZW206",
        WARNING,
        "range of quoted characters",
        "A range is written with numbers.",
        "letter = %x41-5A",
        'letter = "A"-"Z"',
    ),
    Entry(
        "ZW207",
        WARNING,
        "odd indentation",
        "All rules of a block begin in the same column, and the lines that continue one are "
        "indented further.",
        "a = b\n    c",
        "a = b\n  d = e",
    ),
    Entry(
        "ZW208",
        WARNING,
        "white space missing or misplaced",
        "Elements that follow each other have white space between them; a repeat or a role has "
        "none behind it.",
        "pair = 2OCTET name",
        'pair = 2 OCTET"="',
    ),
    Entry(
        "ZW209",
        WARNING,
        "character beyond ASCII",
        "Quoted text, prose values and comments hold printable ASCII only. Other text is read "
        "as UTF-8.",
        "degree = %xC2.B0",
        'degree = "°"',
    ),
)
