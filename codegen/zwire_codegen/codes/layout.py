"""Findings about names, types and layout (ZW4xx) and style (ZW6xx)."""

from __future__ import annotations

from zwire_codegen.codes.entry import ERROR, NOTE, WARNING, Entry

ENTRIES = (
    Entry(
        "ZW401",
        ERROR,
        "undefined rule",
        "A name is used that neither the part nor the core rules define.",
        "header = signature sequence\nsequence = 2OCTET",
        "header = signature sequnce\nsequence = 2OCTET",
    ),
    Entry(
        "ZW402",
        WARNING,
        "unused rule",
        "No message, dialog or setting leads to this rule.",
        "PING = header %x06",
        "PING = header %x06\nleftover = OCTET",
    ),
    Entry(
        "ZW403",
        WARNING,
        "rule defined twice alike",
        "The second definition says the same as the first; they are merged.",
        "status = OCTET",
        "status = OCTET\nstatus = OCTET",
    ),
    Entry(
        "ZW404",
        ERROR,
        "rule defined twice differently",
        "Two definitions of one name (`_` and `-`, capitals and small letters are the same). "
        "Alternatives are added with `=/`.",
        "status = OCTET",
        "status = OCTET\nstatus = 2OCTET",
    ),
    Entry(
        "ZW405",
        ERROR,
        "`=/` adds to nothing",
        "Alternatives are added to a rule that stands before.",
        "level = INFO\nlevel =/ ERROR",
        "level =/ ERROR",
    ),
    Entry(
        "ZW406",
        ERROR,
        "rule leads back to itself",
        "A rule that begins with itself can never be read (left recursion), and one that contains "
        "itself has no layout: messages are finite.",
        "strings = size *string",
        "strings = strings string",
    ),
    Entry(
        "ZW407",
        ERROR,
        "no idiom fits",
        "The element has no meaning on the wire that zwire knows; docs/notation.md lists the "
        "idioms.",
        "name = size *VCHAR",
        "name = *( OCTET VCHAR )",
    ),
    Entry(
        "ZW408",
        ERROR,
        "ambiguous alternatives",
        "Two alternatives begin with the same octets, so that a reader cannot tell them apart.",
        "level = ERROR / INFO\nERROR = %x01\nINFO = %x02",
        "level = ERROR / INFO\nERROR = %x01\nINFO = %x01",
    ),
    Entry(
        "ZW409",
        ERROR,
        "length field cannot count its field",
        "What stands in front of a counted field is a number of 1, 2 or 4 octets that can "
        "express every length the field may have.",
        "name = size *VCHAR\nsize = OCTET",
        "name = size *VCHAR\nsize = 3OCTET",
    ),
    Entry(
        "ZW410",
        ERROR,
        "nothing tells two messages apart",
        "Two messages that one role may send have the same wire form: no constant at a fixed "
        "place and no number of frames differs.",
        "PING = header %x06\nPONG = header %x07",
        "PING = header %x06\nPONG = header %x06",
    ),
    Entry(
        "ZW411",
        WARNING,
        "constant differs from the other commands",
        "Nearly all commands of the part have one constant at this place, and this one another: "
        "most often a slip. A message with the setting `received_only` is left out.",
        '| 0 | %s"MDXW01" | | header |',
        '| 0 | %s"MDPW02" | | header |',
    ),
    Entry(
        "ZW412",
        ERROR,
        "two fields of one name",
        "Two fields of a message have names that become the same in code.",
        "JOIN = group status",
        "JOIN = group group",
    ),
    Entry(
        "ZW413",
        ERROR,
        "two messages of one name",
        "A command has two tables, or a table and a rule, in one part; or two names that become "
        "the same in code.",
        "### REQUEST\n\n### REPLY",
        "### REQUEST\n\n### REQUEST (again)",
    ),
    Entry(
        "ZW414",
        ERROR,
        "override does not fit",
        "A type in `[types]` is unknown, names a rule or field that is not there, or cannot be "
        "read from the element.",
        '[types]\nnode-id = "uuid"',
        '[types]\nnode-id = "colour"',
    ),
    Entry(
        "ZW415",
        ERROR,
        "something follows the rest",
        "`*OCTET` fills its frame and `*FRAME` takes all frames, so nothing can stand behind them.",
        "NOTE = header %x01 words\nwords = *VCHAR",
        "NOTE = header words %x01\nwords = *VCHAR",
    ),
    Entry(
        "ZW416",
        WARNING,
        "core rule defined again",
        "ALPHA, OCTET, VCHAR and the like are built in, and FRAME is one frame.",
        "octets = *OCTET",
        "OCTET = %x00-FF",
    ),
    Entry(
        "ZW417",
        ERROR,
        "datagram of several frames",
        "The messages of a part with `datagram = true` are single datagrams, without frames.",
        'beacon = %s"ZRE" %x01 uuid port',
        "beacon = %x01 FRAME",
    ),
    Entry(
        "ZW418",
        ERROR,
        "name does not serve",
        "The name of a protocol or part becomes a module's name: small letters, digits and `_`, "
        "beginning with a letter, no word that languages keep (`class`) and not `errors`, "
        "`conversation` or `…_dialogs`, which stand beside it. The names of parts and roles differ "
        "from each other. A field is named as a rule of ABNF is.",
        '[protocol]\nname = "zre36"',
        '[protocol]\nname = "36/ZRE"',
    ),
    Entry(
        "ZW419",
        ERROR,
        "constant is not one",
        "A constant is a whole number, a text, or octets written as `%x` and hexadecimal digits.",
        "[constants]\nudp-port = 5670",
        "[constants]\nudp-port = 5670.5",
    ),
    Entry(
        "ZW420",
        WARNING,
        "one name written in several ways",
        "`_` and `-`, capitals and small letters are the same in a name; write it in one way.",
        "headers = dictionary\ndictionary = size *string",
        "headers = Dictionary\ndictionary = size *string",
    ),
    Entry(
        "ZW421",
        WARNING,
        "part has no messages",
        "There are rules, but no message: a message is a frame table, or a rule that a dialog "
        "says or `[senders]` names.",
        "PING = %x01\n\nbeat = C:PING",
        "ping = %x01",
    ),
    Entry(
        "ZW422",
        WARNING,
        "read more loosely than written",
        "Text is any UTF-8 without control characters, octets are any octets: a run of some "
        "characters only is not checked one by one.",
        "name = size *VCHAR",
        "name = size *DIGIT",
    ),
    Entry(
        "ZW423",
        ERROR,
        "value without a name",
        "Every value that is not constant becomes a field, and is named by its rule or by the "
        "name cell of its row.",
        "JOIN = header %x04 status\nstatus = OCTET",
        "JOIN = header %x04 OCTET",
    ),
    Entry(
        "ZW601",
        WARNING,
        "command not in capitals",
        "Commands are written in capitals, so that a reader sees which rules are messages.",
        "PING = header %x06",
        "ping = header %x06",
    ),
    Entry(
        "ZW602",
        WARNING,
        "text constant without `%s`",
        "A plain quoted string matches capitals and small letters alike; on the wire only the "
        "exact octets are meant and read.",
        'tag = %s"PING"',
        'tag = "PING"',
    ),
    Entry(
        "ZW603",
        NOTE,
        "message without a comment",
        "The comment above a rule, or the paragraph above a table, becomes the documentation of "
        "the message.",
        "; Ask a silent peer for a sign of life\nPING = header %x06",
        "PING = header %x06",
    ),
)
