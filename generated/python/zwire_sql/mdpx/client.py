"""Spark SQL that decodes the messages of MDPX: client.

Made by `zwire generate` from mdpx.md, line 28; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="mdpx",
    part="client",
    fields=(
        ("service", "STRING"),
        ("request_id", "BINARY"),
        ("body", "ARRAY<BINARY>"),
    ),
    columns={
        "REQUEST": {
            "service": "service",
            "request_id": "request_id",
            "body": "body",
        },
        "PARTIAL": {
            "service": "service",
            "request_id": "request_id",
            "body": "body",
        },
        "FINAL": {
            "service": "service",
            "request_id": "request_id",
            "body": "body",
        },
    },
    stages=(
        r"""
SELECT
  *,
  get(frames, 1) AS `_f1`,
  get(frames, 0) AS `_f0`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _f0 <=> X'4D4458433031' THEN CASE
      WHEN _f1 <=> X'01' THEN 1
      WHEN _f1 <=> X'02' THEN 2
      WHEN _f1 <=> X'03' THEN 3
    END
  END AS `_m`,
  get(frames, 2) AS `_f2`,
  get(frames, 3) AS `_f3`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m IN (1, 2, 3) THEN CASE
      WHEN _n < 5 THEN 1
      WHEN length(_f2) = 0 THEN 2
      WHEN NOT is_valid_utf8(CAST(_f2 AS STRING)) OR CAST(_f2 AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 3
      WHEN length(_f3) = 0 THEN 4
    END
    ELSE CASE
      WHEN _n = 0 THEN 5
      ELSE CASE
        WHEN NOT (_f0 <=> X'4D4458433031') THEN 6
        WHEN _n <= 1 THEN 8
        ELSE 7
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f1, _f0, _m, _f2, _f3, _w),
  CASE
    WHEN _w IS NULL THEN get(array('REQUEST', 'PARTIAL', 'FINAL'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'empty', 'text', 'empty', 'frame-count', 'constant', 'command', 'frame-count'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4) THEN get(array('REQUEST', 'PARTIAL', 'FINAL'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', 'service', 'service', 'request_id', '', 'header', 'command', ''), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1, 8) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 2, 2, 3, 0, 0, 1, NULL), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 0, 0, 0, 0, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(_f2 AS STRING)
  END AS STRING) AS `service`,
  CAST(CASE
    WHEN _w IS NULL THEN _f3
  END AS BINARY) AS `request_id`,
  CAST(CASE
    WHEN _w IS NULL THEN slice(frames, 5, greatest(_n - 4, 0))
  END AS ARRAY<BINARY>) AS `body`
FROM {source}
""",
    ),
)
