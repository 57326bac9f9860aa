"""Spark SQL that decodes the messages of ZRE: messages.

Made by `zwire generate` from zre.md, line 24; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="zre",
    part="messages",
    fields=(
        ("sequence", "BIGINT"),
        ("ipaddress", "STRING"),
        ("mailbox", "BIGINT"),
        ("groups", "ARRAY<STRING>"),
        ("status", "BIGINT"),
        ("headers", "ARRAY<STRING>"),
        ("content", "BINARY"),
        ("group", "STRING"),
    ),
    columns={
        "HELLO": {
            "sequence": "sequence",
            "ipaddress": "ipaddress",
            "mailbox": "mailbox",
            "groups": "groups",
            "status": "status",
            "headers": "headers",
        },
        "WHISPER": {
            "sequence": "sequence",
            "content": "content",
        },
        "SHOUT": {
            "sequence": "sequence",
            "group": "group",
            "content": "content",
        },
        "JOIN": {
            "sequence": "sequence",
            "group": "group",
            "status": "status",
        },
        "LEAVE": {
            "sequence": "sequence",
            "group": "group",
            "status": "status",
        },
        "PING": {
            "sequence": "sequence",
        },
        "PING-OK": {
            "sequence": "sequence",
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
    WHEN substring(_f0, 1, 2) <=> X'AAA1' THEN CASE
      WHEN substring(_f0, 5, 1) <=> X'01' THEN 1
      WHEN substring(_f0, 5, 1) <=> X'02' THEN 2
      WHEN substring(_f0, 5, 1) <=> X'03' THEN 3
      WHEN substring(_f0, 5, 1) <=> X'04' THEN 4
      WHEN substring(_f0, 5, 1) <=> X'05' THEN 5
      WHEN substring(_f0, 5, 1) <=> X'06' THEN 6
      WHEN substring(_f0, 5, 1) <=> X'07' THEN 7
    END
  END AS `_m`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m IN (1, 3, 4, 5) THEN CAST(least(6 + CAST(conv(hex(substring(_f0, 6, 1)), 16, 10) AS BIGINT), length(_f0) + 1) AS INT)
  END AS `_ipaddress_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m = 1 THEN get(transform(zip_with(array(_f0), array(0), (one, _) -> one), f -> get(transform(array(CAST(least(CAST(conv(hex(substring(f, _ipaddress_stop + 3, 1)), 16, 10) AS BIGINT), (length(f) - (_ipaddress_stop + 3)) DIV 1 + 1) AS INT)), n -> CASE
      WHEN n > 0 THEN get(transform(array(get(transform(array(aggregate(sequence(0, CAST((n - 1) DIV 256 AS INT)), array(named_struct('at', CAST(_ipaddress_stop + 3 AS INT), 'places', CAST(array() AS ARRAY<INT>))), (done, r) -> array_append(done, aggregate(sequence(r * 256, least(r * 256 + 256, n) - 1), named_struct('at', element_at(done, -1).at, 'places', CAST(array() AS ARRAY<INT>)), (a, i) -> named_struct('at', CAST(least(a.at + 1 + CAST(conv(hex(substring(f, a.at + 1, 1)), 16, 10) AS BIGINT), length(f) + 1) AS INT), 'places', array_append(a.places, a.at)))))), t -> array_append(flatten(t.places), element_at(t, -1).at)), 0)), s -> get(transform(array(transform(sequence(0, size(s) - 2), i -> CAST(substring(f, s[i] + 2, s[i + 1] - s[i] - 1) AS STRING))), p -> named_struct('stop', element_at(s, -1), 'values', p, 'wrong', CASE
        WHEN element_at(s, -1) > length(f) OR exists(p, v -> NOT is_valid_utf8(CAST(v AS STRING)) OR CAST(v AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]') THEN get(filter(transform(sequence(0, size(p) - 1), i -> named_struct('fault', CASE
          WHEN s[i + 1] > length(f) THEN 1
          WHEN NOT is_valid_utf8(CAST(p[i] AS STRING)) OR CAST(p[i] AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 4
        END, 'at', s[i])), j -> j.fault IS NOT NULL), 0)
      END)), 0)), 0)
      ELSE named_struct('stop', _ipaddress_stop + 3, 'values', CAST(array() AS ARRAY<STRING>), 'wrong', CAST(NULL AS STRUCT<fault: INT, at: INT>))
    END), 0)), 0)
  END AS `_groups_list`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m = 1 THEN get(transform(zip_with(array(_f0), array(0), (one, _) -> one), f -> get(transform(array(CAST(least(CAST(conv(hex(substring(f, _groups_list.stop + 2, 1)), 16, 10) AS BIGINT), (length(f) - (_groups_list.stop + 2)) DIV 1 + 1) AS INT)), n -> CASE
      WHEN n > 0 THEN get(transform(array(get(transform(array(aggregate(sequence(0, CAST((n - 1) DIV 256 AS INT)), array(named_struct('at', CAST(_groups_list.stop + 2 AS INT), 'places', CAST(array() AS ARRAY<INT>))), (done, r) -> array_append(done, aggregate(sequence(r * 256, least(r * 256 + 256, n) - 1), named_struct('at', element_at(done, -1).at, 'places', CAST(array() AS ARRAY<INT>)), (a, i) -> named_struct('at', CAST(least(a.at + 1 + CAST(conv(hex(substring(f, a.at + 1, 1)), 16, 10) AS BIGINT), length(f) + 1) AS INT), 'places', array_append(a.places, a.at)))))), t -> array_append(flatten(t.places), element_at(t, -1).at)), 0)), s -> get(transform(array(transform(sequence(0, size(s) - 2), i -> CAST(substring(f, s[i] + 2, s[i + 1] - s[i] - 1) AS STRING))), p -> named_struct('stop', element_at(s, -1), 'values', p, 'wrong', CASE
        WHEN element_at(s, -1) > length(f) OR exists(p, v -> NOT is_valid_utf8(CAST(v AS STRING)) OR CAST(v AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]') THEN get(filter(transform(sequence(0, size(p) - 1), i -> named_struct('fault', CASE
          WHEN s[i + 1] > length(f) THEN 1
          WHEN NOT is_valid_utf8(CAST(p[i] AS STRING)) OR CAST(p[i] AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 4
        END, 'at', s[i])), j -> j.fault IS NOT NULL), 0)
      END)), 0)), 0)
      ELSE named_struct('stop', _groups_list.stop + 2, 'values', CAST(array() AS ARRAY<STRING>), 'wrong', CAST(NULL AS STRUCT<fault: INT, at: INT>))
    END), 0)), 0)
  END AS `_headers_list`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _m IN (1, 3, 4, 5) THEN substring(_f0, 7, _ipaddress_stop - 6)
  END AS `_ipaddress_octets`,
  get(frames, 1) AS `_f1`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m = 1 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN _ipaddress_stop > length(_f0) THEN 3
      WHEN NOT is_valid_utf8(CAST(_ipaddress_octets AS STRING)) OR CAST(_ipaddress_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 4
      WHEN length(_f0) < _ipaddress_stop + 2 THEN 5
      WHEN length(_f0) < _ipaddress_stop + 3 THEN 6
      WHEN _groups_list.wrong.fault = 1 THEN 7
      WHEN _groups_list.wrong.fault = 4 THEN 8
      WHEN length(_f0) < _groups_list.stop + 1 THEN 9
      WHEN length(_f0) < _groups_list.stop + 2 THEN 10
      WHEN _headers_list.wrong.fault = 1 THEN 11
      WHEN _headers_list.wrong.fault = 4 THEN 12
      WHEN length(_f0) > _headers_list.stop THEN 13
    END
    WHEN _m = 2 THEN CASE
      WHEN _n < 2 THEN 1
      WHEN _n > 2 THEN 14
      WHEN length(_f0) > 5 THEN 15
    END
    WHEN _m = 3 THEN CASE
      WHEN _n < 2 THEN 1
      WHEN _n > 2 THEN 14
      WHEN _ipaddress_stop > length(_f0) THEN 16
      WHEN NOT is_valid_utf8(CAST(_ipaddress_octets AS STRING)) OR CAST(_ipaddress_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 17
      WHEN length(_f0) > _ipaddress_stop THEN 18
    END
    WHEN _m IN (4, 5) THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN _ipaddress_stop > length(_f0) THEN 16
      WHEN NOT is_valid_utf8(CAST(_ipaddress_octets AS STRING)) OR CAST(_ipaddress_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 17
      WHEN length(_f0) < _ipaddress_stop + 1 THEN 19
      WHEN length(_f0) > _ipaddress_stop + 1 THEN 20
    END
    WHEN _m IN (6, 7) THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) > 5 THEN 15
    END
    ELSE CASE
      WHEN _n = 0 THEN 21
      ELSE CASE
        WHEN NOT (substring(_f0, 1, 2) <=> X'AAA1') THEN 22
        ELSE 23
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f0, _m, _ipaddress_stop, _ipaddress_octets, _groups_list, _headers_list, _f1, _w),
  CASE
    WHEN _w IS NULL THEN get(array('HELLO', 'WHISPER', 'SHOUT', 'JOIN', 'LEAVE', 'PING', 'PING-OK'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'truncated', 'text', 'truncated', 'truncated', 'truncated', 'text', 'truncated', 'truncated', 'truncated', 'text', 'trailing', 'frame-count', 'trailing', 'truncated', 'text', 'trailing', 'truncated', 'trailing', 'frame-count', 'constant', 'command'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20) THEN get(array('HELLO', 'WHISPER', 'SHOUT', 'JOIN', 'LEAVE', 'PING', 'PING-OK'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', 'ipaddress', 'ipaddress', 'mailbox', 'groups', 'groups', 'groups', 'status', 'headers', 'headers', 'headers', '', '', '', 'group', 'group', '', 'status', '', '', 'signature', 'command'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0), _w - 1)
  END AS `wrong_frame`,
  CASE
    WHEN _w IN (5, 18, 19) THEN CAST(_ipaddress_stop AS INT)
    WHEN _w IN (6) THEN CAST(_ipaddress_stop + 2 AS INT)
    WHEN _w IN (7, 8) THEN CAST(_groups_list.wrong.at AS INT)
    WHEN _w IN (9) THEN CAST(_groups_list.stop AS INT)
    WHEN _w IN (10) THEN CAST(_groups_list.stop + 1 AS INT)
    WHEN _w IN (11, 12) THEN CAST(_headers_list.wrong.at AS INT)
    WHEN _w IN (13) THEN CAST(_headers_list.stop AS INT)
    WHEN _w IN (20) THEN CAST(_ipaddress_stop + 1 AS INT)
    ELSE get(array(0, 0, 5, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 5, 5, 5, NULL, NULL, NULL, 0, 0, 4), _w - 1)
  END AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(conv(hex(substring(_f0, 3, 2)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `sequence`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(_ipaddress_octets AS STRING)
  END AS STRING) AS `ipaddress`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(conv(hex(substring(_f0, _ipaddress_stop + 1, 2)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `mailbox`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN _groups_list.values
  END AS ARRAY<STRING>) AS `groups`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(conv(hex(substring(_f0, _groups_list.stop + 1, 1)), 16, 10) AS BIGINT)
    WHEN _w IS NULL AND _m IN (4, 5) THEN CAST(conv(hex(substring(_f0, _ipaddress_stop + 1, 1)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `status`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN _headers_list.values
  END AS ARRAY<STRING>) AS `headers`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (2, 3) THEN _f1
  END AS BINARY) AS `content`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (3, 4, 5) THEN CAST(_ipaddress_octets AS STRING)
  END AS STRING) AS `group`
FROM {source}
""",
    ),
)
