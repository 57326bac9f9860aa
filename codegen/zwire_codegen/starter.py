"""`zwire new`: a commented document to start from, which lints clean and generates."""

from __future__ import annotations

import re

from zwire_codegen.passes.names import serves_as_module

_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


class BadName(ValueError):
    """A name that no package can have."""


def starter(name: str) -> str:
    """The text of a starter document for a protocol of this name."""
    package = name.replace("-", "_")
    if not _NAME.fullmatch(name) or not serves_as_module(package):
        raise BadName(
            f"{name!r} is no name for a protocol: use lower-case letters, digits and hyphens, "
            "beginning with a letter, such as my-protocol"
        )
    return (
        _STARTER.replace("@PACKAGE@", package)
        .replace("@TITLE@", name)
        .replace("@HEADER@", (re.sub("[^A-Z0-9]", "", name.upper()) + "XXXX")[:4] + "01")
    )


_STARTER = """\
# @TITLE@

Say here, in a paragraph, what the protocol is for. Everything outside the fenced blocks and the
frame tables is for people; the compiler reads the rest.

```zwire
[protocol]
name = "@PACKAGE@"     # the generated package
title = "@TITLE@"
version = "0.1"
summary = "A client asks, a server answers."

[roles]                # who talks, their letter in dialogs, and the socket they use
client = { letter = "C", socket = "DEALER" }
server = { letter = "S", socket = "ROUTER" }

[conversation]
keys = { ask = ["id"] }   # many requests may be open at once, told apart by their id

[constants]
patience = 5           # seconds a client waits for an answer
```

## Dialog

The client asks; the server answers, in as many pieces as it likes, and then says that it is done.

```dialog
ask  = C:ASK *S:PIECE S:DONE
ping = C:PING S:PONG
```

## Words

What the value cells of the tables below may name.

```abnf
header = %s"@HEADER@"  ; protocol and version, the first frame of every message
id     = 4OCTET      ; chosen by the client; the answer repeats it
name   = 1*VCHAR     ; what is asked for
```

## Messages

### ASK

The client asks for something by its name.

| Frame | Value    | Name | Meaning              |
| ----- | -------- | ---- | -------------------- |
| 0     | `header` |      | protocol and version |
| 1     | `%x01`   |      | ASK                  |
| 2     | `id`     | id   | which question       |
| 3     | `name`   | name | what is asked for    |
| 4+    | `*FRAME` | body | anything, or nothing |

### PIECE

A part of the answer.

| Frame | Value    | Name | Meaning              |
| ----- | -------- | ---- | -------------------- |
| 0     | `header` |      | protocol and version |
| 1     | `%x02`   |      | PIECE                |
| 2     | `id`     | id   | which question       |
| 3+    | `*OCTET` | body | a part of the answer |

### DONE

The end of the answer.

| Frame | Value    | Name | Meaning              |
| ----- | -------- | ---- | -------------------- |
| 0     | `header` |      | protocol and version |
| 1     | `%x03`   |      | DONE                 |
| 2     | `id`     | id   | which question       |

### PING

Is somebody there?

| Frame | Value    | Name | Meaning              |
| ----- | -------- | ---- | -------------------- |
| 0     | `header` |      | protocol and version |
| 1     | `%x04`   |      | PING                 |

### PONG

Yes.

| Frame | Value    | Name | Meaning              |
| ----- | -------- | ---- | -------------------- |
| 0     | `header` |      | protocol and version |
| 1     | `%x05`   |      | PONG                 |
"""
