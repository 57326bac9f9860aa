"""Spark SQL that decodes the messages of REQREP: rep.

Made by `zwire generate` from reqrep.md, line 77; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="reqrep",
    part="rep",
    fields=(
        ("envelope", "ARRAY<BINARY>"),
        ("data", "ARRAY<BINARY>"),
    ),
    columns={
        "REQUEST": {
            "envelope": "envelope",
            "data": "data",
        },
        "REPLY": {
            "envelope": "envelope",
            "data": "data",
        },
    },
    stages=(
        r"""
SELECT
  *,
  CASE
    WHEN role = 'rep' THEN 2
    WHEN role = 'req' THEN 1
    WHEN role = 'dealer' THEN 1
  END AS `_m`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m IN (1, 2) THEN coalesce(array_position(frames, X''), 0)
  END AS `_envelope_size`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _m IN (1, 2) THEN CAST(_envelope_size AS INT)
  END AS `_envelope_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m IN (1, 2) THEN CASE
      WHEN _n = 0 THEN 3
      WHEN _n < 2 THEN 1
      WHEN _envelope_size = 0 THEN 2
      WHEN _n < _envelope_stop + 1 THEN 1
    END
    ELSE CASE
      WHEN coalesce(role, '') NOT IN ('rep', 'req', 'dealer') THEN 4
      WHEN _n = 0 THEN 3
      ELSE CASE
        WHEN role = 'rep' THEN NULL
        WHEN role = 'req' THEN NULL
        WHEN role = 'dealer' THEN NULL
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _m, _envelope_size, _envelope_stop, _w),
  CASE
    WHEN _w IS NULL THEN get(array('REQUEST', 'REPLY'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'empty', 'frame-count', 'role'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2) THEN get(array('REQUEST', 'REPLY'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', 'envelope', '', ''), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1, 2) THEN CAST(_n AS INT)
    ELSE get(array(NULL, NULL, 0, 0), _w - 1)
  END AS `wrong_frame`,
  get(array(0, 0, 0, 0), _w - 1) AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN CASE
      WHEN _envelope_size > 0 THEN slice(frames, 1, greatest(CAST(_envelope_size AS INT) - 1, 0))
    END
  END AS ARRAY<BINARY>) AS `envelope`,
  CAST(CASE
    WHEN _w IS NULL THEN slice(frames, _envelope_stop + 1, greatest(_n - _envelope_stop, 0))
  END AS ARRAY<BINARY>) AS `data`
FROM {source}
""",
    ),
)
