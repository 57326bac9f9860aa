"""Spark SQL that decodes the messages of MDP 0.1: worker.

Made by `zwire generate` from mdp01.md, line 70; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="mdp01",
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
        "REPLY": {
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
  get(frames, 2) AS `_f2`,
  get(frames, 4) AS `_f4`,
  get(frames, 0) AS `_f0`,
  get(frames, 1) AS `_f1`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _f0 <=> X'' AND _f1 <=> X'4D4450573031' THEN CASE
      WHEN _f2 <=> X'01' THEN 1
      WHEN _f2 <=> X'02' AND _f4 <=> X'' THEN 2
      WHEN _f2 <=> X'03' AND _f4 <=> X'' THEN 3
      WHEN _f2 <=> X'04' THEN 4
      WHEN _f2 <=> X'05' THEN 5
    END
  END AS `_m`,
  get(frames, 3) AS `_f3`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m = 1 THEN CASE
      WHEN _n < 4 THEN 1
      WHEN _n > 4 THEN 2
      WHEN length(_f3) = 0 THEN 3
      WHEN NOT is_valid_utf8(CAST(_f3 AS STRING)) OR CAST(_f3 AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 4
    END
    WHEN _m IN (2, 3) THEN CASE
      WHEN _n < 6 THEN 1
      WHEN length(_f3) = 0 THEN 5
    END
    WHEN _m IN (4, 5) THEN CASE
      WHEN _n < 3 THEN 1
      WHEN _n > 3 THEN 6
    END
    ELSE CASE
      WHEN _n = 0 THEN 7
      ELSE CASE
        WHEN NOT (_f0 <=> X'') THEN 8
        WHEN _n <= 1 AND NOT (_f1 <=> X'4D4450573031') THEN 10
        WHEN NOT (_f1 <=> X'4D4450573031') THEN 9
        WHEN _n <= 2 AND NOT ((_f2 <=> X'01' OR _f2 <=> X'02' OR _f2 <=> X'03' OR _f2 <=> X'04' OR _f2 <=> X'05')) THEN 10
        WHEN NOT ((_f2 <=> X'01' OR _f2 <=> X'02' OR _f2 <=> X'03' OR _f2 <=> X'04' OR _f2 <=> X'05')) THEN 11
        WHEN _n <= 4 THEN 10
        ELSE 12
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f2, _f4, _f0, _f1, _m, _f3, _w),
  CASE
    WHEN _w IS NULL THEN get(array('READY', 'REQUEST', 'REPLY', 'HEARTBEAT', 'DISCONNECT'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'empty', 'text', 'empty', 'frame-count', 'frame-count', 'constant', 'constant', 'frame-count', 'command', 'command'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5, 6) THEN get(array('READY', 'REQUEST', 'REPLY', 'HEARTBEAT', 'DISCONNECT'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', 'service', 'service', 'client_address', '', '', 'empty', 'header', '', 'command', 'empty'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1, 10) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 4, 3, 3, 3, 3, 0, 0, 1, NULL, 2, 4), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(_f3 AS STRING)
  END AS STRING) AS `service`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (2, 3) THEN _f3
  END AS BINARY) AS `client_address`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (2, 3) THEN slice(frames, 6, greatest(_n - 5, 0))
  END AS ARRAY<BINARY>) AS `body`
FROM {source}
""",
    ),
)
