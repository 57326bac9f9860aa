"""Spark SQL that decodes the messages of PPP: messages.

Made by `zwire generate` from ppp.md, line 7; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="ppp",
    part="messages",
    fields=(
        ("stack", "ARRAY<BINARY>"),
        ("content", "ARRAY<BINARY>"),
    ),
    columns={
        "READY": {},
        "HEARTBEAT": {},
        "REQUEST": {
            "stack": "stack",
            "content": "content",
        },
        "REPLY": {
            "stack": "stack",
            "content": "content",
        },
    },
    stages=(
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  get(frames, 0) AS `_f0`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN role = 'client' THEN CASE
      WHEN _n = 1 AND _f0 <=> X'02' THEN 2
      WHEN _n >= 1 AND true THEN 3
      WHEN _f0 <=> X'02' THEN 2
      ELSE 3
    END
    WHEN role = 'worker' THEN CASE
      WHEN _n = 1 AND _f0 <=> X'01' THEN 1
      WHEN _n = 1 AND _f0 <=> X'02' THEN 2
      WHEN _n >= 1 AND true THEN 4
      WHEN _f0 <=> X'01' THEN 1
      WHEN _f0 <=> X'02' THEN 2
      ELSE 4
    END
  END AS `_m`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m IN (3, 4) THEN coalesce(array_position(frames, X''), 0)
  END AS `_stack_size`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m IN (3, 4) THEN CAST(_stack_size AS INT)
  END AS `_stack_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m IN (1, 2) THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
    END
    WHEN _m = 3 THEN CASE
      WHEN _n = 0 THEN 3
      WHEN role <=> 'client' AND _n = 1 AND _f0 <=> X'01' THEN 4
      WHEN _n < 1 THEN 1
      WHEN _n < _stack_stop + 1 THEN 1
    END
    WHEN _m = 4 THEN CASE
      WHEN _n = 0 THEN 3
      WHEN _n < 1 THEN 1
      WHEN _n < _stack_stop + 1 THEN 1
    END
    ELSE CASE
      WHEN coalesce(role, '') NOT IN ('client', 'worker') THEN 5
      WHEN _n = 0 THEN 3
      ELSE CASE
        WHEN role = 'client' THEN 4
        WHEN role = 'worker' THEN 4
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f0, _m, _stack_size, _stack_stop, _w),
  CASE
    WHEN _w IS NULL THEN get(array('READY', 'HEARTBEAT', 'REQUEST', 'REPLY'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'frame-count', 'command', 'role'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2) THEN get(array('READY', 'HEARTBEAT', 'REQUEST', 'REPLY'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', '', 'header', ''), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 1, 0, 0, 0), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 0, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (3, 4) THEN CASE
      WHEN _stack_size > 0 THEN slice(frames, 1, greatest(CAST(_stack_size AS INT) - 1, 0))
    END
  END AS ARRAY<BINARY>) AS `stack`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (3, 4) THEN slice(frames, _stack_stop + 1, greatest(_n - _stack_stop, 0))
  END AS ARRAY<BINARY>) AS `content`
FROM {source}
""",
    ),
)
