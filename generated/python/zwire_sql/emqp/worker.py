"""Spark SQL that decodes the messages of eMQP: worker.

Made by `zwire generate` from emqp.md, line 80; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="emqp",
    part="worker",
    fields=(
        ("msgid", "BINARY"),
        ("queue_name", "STRING"),
        ("headers", "BINARY"),
        ("msg", "BINARY"),
    ),
    columns={
        "INFORM": {
            "msgid": "msgid",
            "queue_name": "queue_name",
        },
        "READY": {
            "msgid": "msgid",
        },
        "REQUEST": {
            "msgid": "msgid",
            "queue_name": "queue_name",
            "headers": "headers",
            "msg": "msg",
        },
        "REPLY": {
            "msgid": "msgid",
            "msg": "msg",
        },
        "HEARTBEAT": {
            "msgid": "msgid",
        },
        "DISCONNECT": {
            "msgid": "msgid",
        },
    },
    stages=(
        r"""
SELECT
  *,
  get(frames, 2) AS `_f2`,
  get(frames, 0) AS `_f0`,
  get(frames, 1) AS `_f1`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _f0 <=> X'' AND _f1 <=> X'654D51502F312E30' THEN CASE
      WHEN _f2 <=> X'444953434F4E4E454354' THEN 6
      WHEN _f2 <=> X'484541525442454154' THEN 5
      WHEN _f2 <=> X'52455155455354' THEN 3
      WHEN _f2 <=> X'494E464F524D' THEN 1
      WHEN _f2 <=> X'5245414459' THEN 2
      WHEN _f2 <=> X'5245504C59' THEN 4
    END
  END AS `_m`,
  get(frames, 3) AS `_f3`,
  get(frames, 4) AS `_f4`,
  get(frames, 5) AS `_f5`,
  get(frames, 6) AS `_f6`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m = 1 THEN CASE
      WHEN _n < 5 THEN 1
      WHEN _n > 5 THEN 2
      WHEN length(_f3) = 0 THEN 3
      WHEN length(_f4) = 0 THEN 4
      WHEN NOT is_valid_utf8(CAST(_f4 AS STRING)) OR CAST(_f4 AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 5
    END
    WHEN _m IN (2, 5, 6) THEN CASE
      WHEN _n < 4 THEN 1
      WHEN _n > 4 THEN 6
      WHEN length(_f3) = 0 THEN 3
    END
    WHEN _m = 3 THEN CASE
      WHEN _n < 7 THEN 1
      WHEN _n > 7 THEN 7
      WHEN length(_f3) = 0 THEN 3
      WHEN length(_f4) = 0 THEN 4
      WHEN NOT is_valid_utf8(CAST(_f4 AS STRING)) OR CAST(_f4 AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 5
    END
    WHEN _m = 4 THEN CASE
      WHEN _n < 5 THEN 1
      WHEN _n > 5 THEN 2
      WHEN length(_f3) = 0 THEN 3
    END
    ELSE CASE
      WHEN _n = 0 THEN 8
      ELSE CASE
        WHEN NOT (_f0 <=> X'') THEN 9
        WHEN _n <= 1 AND NOT (_f1 <=> X'654D51502F312E30') THEN 11
        WHEN NOT (_f1 <=> X'654D51502F312E30') THEN 10
        WHEN _n <= 2 THEN 11
        ELSE 12
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f2, _f0, _f1, _m, _f3, _f4, _f5, _f6, _w),
  CASE
    WHEN _w IS NULL THEN get(array('INFORM', 'READY', 'REQUEST', 'REPLY', 'HEARTBEAT', 'DISCONNECT'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'empty', 'empty', 'text', 'frame-count', 'frame-count', 'frame-count', 'constant', 'constant', 'frame-count', 'command'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5, 6, 7) THEN get(array('INFORM', 'READY', 'REQUEST', 'REPLY', 'HEARTBEAT', 'DISCONNECT'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', 'msgid', 'queue_name', 'queue_name', '', '', '', 'empty', 'version', '', 'command'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1, 11) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 5, 3, 4, 4, 4, 7, 0, 0, 1, NULL, 2), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN _f3
  END AS BINARY) AS `msgid`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (1, 3) THEN CAST(_f4 AS STRING)
  END AS STRING) AS `queue_name`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 3 THEN _f5
  END AS BINARY) AS `headers`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 3 THEN _f6
    WHEN _w IS NULL AND _m = 4 THEN _f4
  END AS BINARY) AS `msg`
FROM {source}
""",
    ),
)
