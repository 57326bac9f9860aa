"""Spark SQL that decodes the messages of ZRE: beacon.

Made by `zwire generate` from zre.md, line 107; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="zre",
    part="beacon",
    fields=(
        ("uuid", "BINARY"),
        ("port", "BIGINT"),
    ),
    columns={
        "BEACON": {
            "uuid": "uuid",
            "port": "port",
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
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN substring(_f0, 1, 4) <=> X'5A524501' THEN 1
  END AS `_m`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m = 1 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) < 20 THEN 3
      WHEN length(_f0) < 22 THEN 4
      WHEN CAST(conv(hex(substring(_f0, 21, 2)), 16, 10) AS BIGINT) < 1 THEN 5
      WHEN length(_f0) > 22 THEN 6
    END
    ELSE CASE
      WHEN _n = 0 THEN 7
      ELSE CASE
        WHEN NOT (substring(_f0, 1, 4) <=> X'5A524501') THEN 8
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f0, _m, _w),
  CASE
    WHEN _w IS NULL THEN get(array('BEACON'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'truncated', 'truncated', 'value', 'trailing', 'frame-count', 'constant'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5, 6) THEN get(array('BEACON'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', 'uuid', 'port', 'port', '', '', 'header'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 1, 0, 0, 0, 0, 0, 0), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 4, 20, 20, 22, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN substring(_f0, 5, 16)
  END AS BINARY) AS `uuid`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(conv(hex(substring(_f0, 21, 2)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `port`
FROM {source}
""",
    ),
)
