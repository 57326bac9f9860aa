"""Findings about dialogs, roles and conversations (ZW5xx)."""

from __future__ import annotations

from zwire_codegen.codes.entry import ERROR, WARNING, Entry

ENTRIES = (
    Entry(
        "ZW501",
        ERROR,
        "unknown role",
        "A role letter or name that `[roles]` does not have.",
        '[roles]\nclient = { letter = "C", socket = "DEALER" }\n\nask = C:REQUEST',
        '[roles]\nclient = { letter = "C", socket = "DEALER" }\n\nask = X:REQUEST',
    ),
    Entry(
        "ZW502",
        ERROR,
        "unknown message",
        "A dialog or setting names a message that the part does not define.",
        "ask = C:REQUEST B:REPLY",
        "ask = C:REQUEST B:REPYL",
    ),
    Entry(
        "ZW503",
        WARNING,
        "message in no dialog",
        "Nobody ever says this message: no dialog has it, it closes nothing, and `[senders]` "
        "does not name it.",
        "ask = C:REQUEST B:REPLY",
        "ask = C:REQUEST",
    ),
    Entry(
        "ZW504",
        WARNING,
        "unreachable step of a dialog",
        "No conversation comes to this step: it stands behind a message that closes the "
        "conversation, or is repeated zero times.",
        "ask = C:REQUEST B:REPLY",
        "ask = C:DISCONNECT B:REPLY",
    ),
    Entry(
        "ZW505",
        ERROR,
        "two dialogs could have said it",
        "A message of a role belongs to two dialogs that may be open at the same time, so that "
        "nobody can tell which of them goes on.",
        "ask = C:REQUEST B:REPLY\nbeat = C:PING B:PONG",
        "ask = C:REQUEST B:REPLY\nbeat = C:PING B:REPLY",
    ),
    Entry(
        "ZW506",
        ERROR,
        "dialog in which nothing is said",
        "A dialog has at least one message.",
        "ask = C:REQUEST B:REPLY",
        "ask = 0C:REQUEST",
    ),
    Entry(
        "ZW507",
        ERROR,
        "unknown dialog",
        "`[conversation]` names a dialog that the part does not have.",
        '[conversation]\nopens = ["registration"]',
        '[conversation]\nopens = ["registraton"]',
    ),
    Entry(
        "ZW508",
        ERROR,
        "key that a message lacks",
        "Each message of a keyed dialog has the fields of the key: they tell to which instance "
        "it belongs.",
        '[conversation]\nkeys = { request = ["request_id"] }',
        '[conversation]\nkeys = { request = ["reqid"] }',
    ),
    Entry(
        "ZW510",
        ERROR,
        "dialog says who, or not",
        "A name in a dialog is either a message with the role that says it (`C:REQUEST`) or "
        "another rule of the dialog.",
        "ask = C:REQUEST B:REPLY",
        "ask = C:REQUEST REPLY",
    ),
    Entry(
        "ZW511",
        ERROR,
        "dialog too large",
        "A dialog becomes a table of states. One with more than 500 steps or states, or nested very deep, is "
        "no dialog that anybody could follow.",
        "stream = C:REQUEST *B:PARTIAL B:FINAL",
        "stream = C:REQUEST 9999B:PARTIAL B:FINAL",
    ),
    Entry(
        "ZW512",
        ERROR,
        "said by a role that may not",
        "A dialog lets a role say a message, and `[senders]` does not.",
        '[senders]\nPING = ["client"]\n\nbeat = C:PING',
        '[senders]\nPING = ["client"]\n\nbeat = B:PING',
    ),
)
