"""Spark SQL that decodes the messages of ZGOSSIP: messages.

Made by `zwire generate` from zgossip.md, line 7; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="zgossip",
    part="messages",
    fields=(
        ("key", "STRING"),
        ("value", "STRING"),
        ("ttl", "BIGINT"),
    ),
    columns={
        "HELLO": {},
        "PUBLISH": {
            "key": "key",
            "value": "value",
            "ttl": "ttl",
        },
        "PING": {},
        "PONG": {},
        "INVALID": {},
    },
    stages=(
        r"""
SELECT
  *,
  get(frames, 0) AS `_f0`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN substring(_f0, 1, 2) <=> X'AAA0' AND substring(_f0, 4, 1) <=> X'01' THEN CASE
      WHEN substring(_f0, 3, 1) <=> X'01' THEN 1
      WHEN substring(_f0, 3, 1) <=> X'02' THEN 2
      WHEN substring(_f0, 3, 1) <=> X'03' THEN 3
      WHEN substring(_f0, 3, 1) <=> X'04' THEN 4
      WHEN substring(_f0, 3, 1) <=> X'05' THEN 5
    END
  END AS `_m`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m = 2 THEN CAST(least(5 + CAST(conv(hex(substring(_f0, 5, 1)), 16, 10) AS BIGINT), length(_f0) + 1) AS INT)
  END AS `_key_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m = 2 THEN CAST(least(_key_stop + 4 + CAST(conv(hex(substring(_f0, _key_stop + 1, 4)), 16, 10) AS BIGINT), length(_f0) + 1) AS INT)
  END AS `_value_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _m = 2 THEN substring(_f0, 6, _key_stop - 5)
  END AS `_key_octets`,
  CASE
    WHEN _m = 2 THEN substring(_f0, _key_stop + 5, _value_stop - (_key_stop + 4))
  END AS `_value_octets`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m IN (1, 3, 4, 5) THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) > 4 THEN 3
    END
    WHEN _m = 2 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN _key_stop > length(_f0) THEN 4
      WHEN NOT is_valid_utf8(CAST(_key_octets AS STRING)) OR CAST(_key_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 5
      WHEN _value_stop > length(_f0) THEN 6
      WHEN NOT is_valid_utf8(CAST(_value_octets AS STRING)) OR CAST(_value_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 7
      WHEN length(_f0) < _value_stop + 4 THEN 8
      WHEN length(_f0) > _value_stop + 4 THEN 9
    END
    ELSE CASE
      WHEN _n = 0 THEN 10
      ELSE CASE
        WHEN NOT (substring(_f0, 1, 2) <=> X'AAA0') THEN 11
        WHEN NOT (substring(_f0, 4, 1) <=> X'01') THEN 12
        ELSE 13
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f0, _m, _key_stop, _key_octets, _value_stop, _value_octets, _w),
  CASE
    WHEN _w IS NULL THEN get(array('HELLO', 'PUBLISH', 'PING', 'PONG', 'INVALID'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'trailing', 'truncated', 'text', 'truncated', 'text', 'truncated', 'trailing', 'frame-count', 'constant', 'constant', 'command'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5, 6, 7, 8, 9) THEN get(array('HELLO', 'PUBLISH', 'PING', 'PONG', 'INVALID'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', '', 'key', 'key', 'value', 'value', 'ttl', '', '', 'signature', 'version', 'command'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), _w - 1)
  END AS `wrong_frame`,
  CASE
    WHEN _w IN (6, 7) THEN CAST(_key_stop AS INT)
    WHEN _w IN (8) THEN CAST(_value_stop AS INT)
    WHEN _w IN (9) THEN CAST(_value_stop + 4 AS INT)
    ELSE get(array(0, 0, 4, 4, 4, NULL, NULL, NULL, NULL, 0, 0, 3, 2), _w - 1)
  END AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 2 THEN CAST(_key_octets AS STRING)
  END AS STRING) AS `key`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 2 THEN CAST(_value_octets AS STRING)
  END AS STRING) AS `value`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 2 THEN CAST(conv(hex(substring(_f0, _value_stop + 1, 4)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `ttl`
FROM {source}
""",
    ),
)
