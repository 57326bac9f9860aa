"""Spark SQL that decodes the messages of ZRE/LOG: messages.

Made by `zwire generate` from zrelog.md, line 7; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="zrelog",
    part="messages",
    fields=(
        ("level", "STRING"),
        ("event", "STRING"),
        ("node", "BIGINT"),
        ("peer_field", "BIGINT"),
        ("time", "DECIMAL(20, 0)"),
        ("data", "STRING"),
    ),
    columns={
        "LOG": {
            "level": "level",
            "event": "event",
            "node": "node",
            "peer": "peer_field",
            "time": "time",
            "data": "data",
        },
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
    WHEN substring(_f0, 1, 2) <=> X'AAA2' AND substring(_f0, 3, 1) <=> X'01' THEN 1
  END AS `_m`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m = 1 THEN CAST(least(18 + CAST(conv(hex(substring(_f0, 18, 1)), 16, 10) AS BIGINT), length(_f0) + 1) AS INT)
  END AS `_data_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _m = 1 THEN CASE
      WHEN substring(_f0, 4, 1) <=> X'01' THEN 'ERROR'
      WHEN substring(_f0, 4, 1) <=> X'02' THEN 'WARNING'
      WHEN substring(_f0, 4, 1) <=> X'03' THEN 'INFO'
    END
  END AS `_level_member`,
  CASE
    WHEN _m = 1 THEN CASE
      WHEN substring(_f0, 5, 1) <=> X'01' THEN 'JOIN'
      WHEN substring(_f0, 5, 1) <=> X'02' THEN 'LEAVE'
      WHEN substring(_f0, 5, 1) <=> X'03' THEN 'ENTER'
      WHEN substring(_f0, 5, 1) <=> X'04' THEN 'EXIT'
    END
  END AS `_event_member`,
  CASE
    WHEN _m = 1 THEN substring(_f0, 19, _data_stop - 18)
  END AS `_data_octets`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m = 1 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) < 4 THEN 3
      WHEN _level_member IS NULL THEN 4
      WHEN length(_f0) < 5 THEN 5
      WHEN _event_member IS NULL THEN 6
      WHEN length(_f0) < 7 THEN 7
      WHEN length(_f0) < 9 THEN 8
      WHEN length(_f0) < 17 THEN 9
      WHEN _data_stop > length(_f0) THEN 10
      WHEN NOT is_valid_utf8(CAST(_data_octets AS STRING)) OR CAST(_data_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 11
      WHEN length(_f0) > _data_stop THEN 12
    END
    ELSE CASE
      WHEN _n = 0 THEN 13
      ELSE CASE
        WHEN NOT (substring(_f0, 1, 2) <=> X'AAA2') THEN 14
        WHEN NOT (substring(_f0, 3, 1) <=> X'01') THEN 15
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f0, _m, _level_member, _event_member, _data_stop, _data_octets, _w),
  CASE
    WHEN _w IS NULL THEN get(array('LOG'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'truncated', 'value', 'truncated', 'value', 'truncated', 'truncated', 'truncated', 'truncated', 'text', 'trailing', 'frame-count', 'constant', 'constant'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) THEN get(array('LOG'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', 'level', 'level', 'event', 'event', 'node', 'peer', 'time', 'data', 'data', '', '', 'signature', 'constant'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), _w - 1)
  END AS `wrong_frame`,
  CASE
    WHEN _w IN (12) THEN CAST(_data_stop AS INT)
    ELSE get(array(0, 0, 3, 3, 4, 4, 5, 7, 9, 17, 17, NULL, 0, 0, 2), _w - 1)
  END AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN _level_member
  END AS STRING) AS `level`,
  CAST(CASE
    WHEN _w IS NULL THEN _event_member
  END AS STRING) AS `event`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(conv(hex(substring(_f0, 6, 2)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `node`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(conv(hex(substring(_f0, 8, 2)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `peer_field`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(conv(hex(substring(_f0, 10, 8)), 16, 10) AS DECIMAL(20, 0))
  END AS DECIMAL(20, 0)) AS `time`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(_data_octets AS STRING)
  END AS STRING) AS `data`
FROM {source}
""",
    ),
)
