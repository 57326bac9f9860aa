"""Spark SQL that decodes the messages of MDP 0.2: worker.

Made by `zwire generate` from mdp02.md, line 80; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="mdp02",
    part="worker",
    fields=(
        ("service", "STRING"),
        ("client_address", "BINARY"),
        ("body", "ARRAY<BINARY>"),
    ),
    columns={
        "READY": {
            "service": "service",
        },
        "REQUEST": {
            "client_address": "client_address",
            "body": "body",
        },
        "PARTIAL": {
            "client_address": "client_address",
            "body": "body",
        },
        "FINAL": {
            "client_address": "client_address",
            "body": "body",
        },
        "HEARTBEAT": {},
        "DISCONNECT": {},
    },
    stages=(
        r"""
SELECT
  *,
  get(frames, 1) AS `_f1`,
  get(frames, 3) AS `_f3`,
  get(frames, 0) AS `_f0`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _f0 <=> X'4D4450573032' THEN CASE
      WHEN _f1 <=> X'01' THEN 1
      WHEN _f1 <=> X'02' AND _f3 <=> X'' THEN 2
      WHEN _f1 <=> X'03' AND _f3 <=> X'' THEN 3
      WHEN _f1 <=> X'04' AND _f3 <=> X'' THEN 4
      WHEN _f1 <=> X'05' THEN 5
      WHEN _f1 <=> X'06' THEN 6
    END
  END AS `_m`,
  get(frames, 2) AS `_f2`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m = 1 THEN CASE
      WHEN _n < 3 THEN 1
      WHEN _n > 3 THEN 2
      WHEN length(_f2) = 0 THEN 3
      WHEN NOT is_valid_utf8(CAST(_f2 AS STRING)) OR CAST(_f2 AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 4
    END
    WHEN _m IN (2, 3, 4) THEN CASE
      WHEN _n < 5 THEN 1
      WHEN length(_f2) = 0 THEN 5
    END
    WHEN _m IN (5, 6) THEN CASE
      WHEN _n < 2 THEN 1
      WHEN _n > 2 THEN 6
    END
    ELSE CASE
      WHEN _n = 0 THEN 7
      ELSE CASE
        WHEN NOT (_f0 <=> X'4D4450573032') THEN 8
        WHEN _n <= 1 AND NOT ((_f1 <=> X'01' OR _f1 <=> X'02' OR _f1 <=> X'03' OR _f1 <=> X'04' OR _f1 <=> X'05' OR _f1 <=> X'06')) THEN 10
        WHEN NOT ((_f1 <=> X'01' OR _f1 <=> X'02' OR _f1 <=> X'03' OR _f1 <=> X'04' OR _f1 <=> X'05' OR _f1 <=> X'06')) THEN 9
        WHEN _n <= 3 THEN 10
        ELSE 11
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f1, _f3, _f0, _m, _f2, _w),
  CASE
    WHEN _w IS NULL THEN get(array('READY', 'REQUEST', 'PARTIAL', 'FINAL', 'HEARTBEAT', 'DISCONNECT'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'empty', 'text', 'empty', 'frame-count', 'frame-count', 'constant', 'command', 'frame-count', 'command'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5, 6) THEN get(array('READY', 'REQUEST', 'PARTIAL', 'FINAL', 'HEARTBEAT', 'DISCONNECT'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', 'service', 'service', 'client_address', '', '', 'header', 'command', '', 'empty'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1, 10) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 3, 2, 2, 2, 2, 0, 0, 1, NULL, 3), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(_f2 AS STRING)
  END AS STRING) AS `service`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (2, 3, 4) THEN _f2
  END AS BINARY) AS `client_address`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (2, 3, 4) THEN slice(frames, 5, greatest(_n - 4, 0))
  END AS ARRAY<BINARY>) AS `body`
FROM {source}
""",
    ),
)
