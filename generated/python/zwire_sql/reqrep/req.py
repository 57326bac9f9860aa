"""Spark SQL that decodes the messages of REQREP: req.

Made by `zwire generate` from reqrep.md, line 35; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="reqrep",
    part="req",
    fields=(("data", "ARRAY<BINARY>"),),
    columns={
        "REQUEST": {
            "data": "data",
        },
        "REPLY": {
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
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN role = 'req' THEN CASE
      WHEN _f0 <=> X'' THEN 1
    END
    WHEN role = 'rep' THEN CASE
      WHEN _f0 <=> X'' THEN 2
    END
    WHEN role = 'router' THEN CASE
      WHEN _f0 <=> X'' THEN 2
    END
  END AS `_m`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m IN (1, 2) THEN CASE
      WHEN _n < 2 THEN 1
    END
    ELSE CASE
      WHEN coalesce(role, '') NOT IN ('req', 'rep', 'router') THEN 3
      WHEN _n = 0 THEN 2
      ELSE CASE
        WHEN role = 'req' THEN CASE
          WHEN NOT (_f0 <=> X'') THEN 4
        END
        WHEN role = 'rep' THEN CASE
          WHEN NOT (_f0 <=> X'') THEN 4
        END
        WHEN role = 'router' THEN CASE
          WHEN NOT (_f0 <=> X'') THEN 4
        END
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f0, _m, _w),
  CASE
    WHEN _w IS NULL THEN get(array('REQUEST', 'REPLY'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'role', 'constant'), _w - 1) AS `code`,
  CASE
    WHEN _w = 1 THEN get(array('REQUEST', 'REPLY'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', '', 'empty'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 0, 0, 0), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN slice(frames, 2, greatest(_n - 1, 0))
  END AS ARRAY<BINARY>) AS `data`
FROM {source}
""",
    ),
)
