"""Spark SQL that decodes the messages of MDP 0.1: client.

Made by `zwire generate` from mdp01.md, line 22; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="mdp01",
    part="client",
    fields=(
        ("service", "STRING"),
        ("body", "ARRAY<BINARY>"),
    ),
    columns={
        "REQUEST": {
            "service": "service",
            "body": "body",
        },
        "REPLY": {
            "service": "service",
            "body": "body",
        },
    },
    stages=(
        r"""
SELECT
  *,
  get(frames, 0) AS `_f0`,
  get(frames, 1) AS `_f1`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN role = 'client' THEN CASE
      WHEN _f0 <=> X'' AND _f1 <=> X'4D4450433031' THEN 1
    END
    WHEN role = 'broker' THEN CASE
      WHEN _f0 <=> X'' AND _f1 <=> X'4D4450433031' THEN 2
    END
  END AS `_m`,
  get(frames, 2) AS `_f2`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m IN (1, 2) THEN CASE
      WHEN _n < 4 THEN 1
      WHEN length(_f2) = 0 THEN 2
      WHEN NOT is_valid_utf8(CAST(_f2 AS STRING)) OR CAST(_f2 AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 3
    END
    ELSE CASE
      WHEN coalesce(role, '') NOT IN ('client', 'broker') THEN 5
      WHEN _n = 0 THEN 4
      ELSE CASE
        WHEN role = 'client' THEN CASE
          WHEN NOT (_f0 <=> X'') THEN 6
          WHEN _n <= 1 AND NOT (_f1 <=> X'4D4450433031') THEN 8
          WHEN NOT (_f1 <=> X'4D4450433031') THEN 7
        END
        WHEN role = 'broker' THEN CASE
          WHEN NOT (_f0 <=> X'') THEN 6
          WHEN _n <= 1 AND NOT (_f1 <=> X'4D4450433031') THEN 8
          WHEN NOT (_f1 <=> X'4D4450433031') THEN 7
        END
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f0, _f1, _m, _f2, _w),
  CASE
    WHEN _w IS NULL THEN get(array('REQUEST', 'REPLY'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'empty', 'text', 'frame-count', 'role', 'constant', 'constant', 'frame-count'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3) THEN get(array('REQUEST', 'REPLY'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', 'service', 'service', '', '', 'empty', 'header', ''), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1, 8) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 2, 2, 0, 0, 0, 1, NULL), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 0, 0, 0, 0, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(_f2 AS STRING)
  END AS STRING) AS `service`,
  CAST(CASE
    WHEN _w IS NULL THEN slice(frames, 4, greatest(_n - 3, 0))
  END AS ARRAY<BINARY>) AS `body`
FROM {source}
""",
    ),
)
