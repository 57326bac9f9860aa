"""Spark SQL that decodes the messages of 36/ZRE: messages.

Made by `zwire generate` from zre36.md, line 22; do not edit.
"""

from __future__ import annotations

from ..part import Part

PART = Part(
    protocol="zre36",
    part="messages",
    fields=(
        ("sequence", "BIGINT"),
        ("endpoint_field", "STRING"),
        ("groups", "ARRAY<STRING>"),
        ("status", "BIGINT"),
        ("name", "STRING"),
        ("headers", "ARRAY<STRUCT<key: STRING, value: STRING>>"),
        ("content", "ARRAY<BINARY>"),
        ("group", "STRING"),
        ("challenger_id", "STRING"),
        ("leader_id", "STRING"),
    ),
    columns={
        "HELLO": {
            "sequence": "sequence",
            "endpoint": "endpoint_field",
            "groups": "groups",
            "status": "status",
            "name": "name",
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
        "ELECT": {
            "sequence": "sequence",
            "group": "group",
            "challenger_id": "challenger_id",
        },
        "LEADER": {
            "sequence": "sequence",
            "group": "group",
            "leader_id": "leader_id",
        },
        "GOODBYE": {
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
    WHEN substring(_f0, 1, 2) <=> X'AAA1' AND substring(_f0, 4, 1) <=> X'02' THEN CASE
      WHEN substring(_f0, 3, 1) <=> X'01' THEN 1
      WHEN substring(_f0, 3, 1) <=> X'02' THEN 2
      WHEN substring(_f0, 3, 1) <=> X'03' THEN 3
      WHEN substring(_f0, 3, 1) <=> X'04' THEN 4
      WHEN substring(_f0, 3, 1) <=> X'05' THEN 5
      WHEN substring(_f0, 3, 1) <=> X'06' THEN 6
      WHEN substring(_f0, 3, 1) <=> X'07' THEN 7
      WHEN substring(_f0, 3, 1) <=> X'08' THEN 8
      WHEN substring(_f0, 3, 1) <=> X'09' THEN 9
      WHEN substring(_f0, 3, 1) <=> X'0A' THEN 10
    END
  END AS `_m`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m IN (1, 3, 4, 5, 8, 9) THEN CAST(least(7 + CAST(conv(hex(substring(_f0, 7, 1)), 16, 10) AS BIGINT), length(_f0) + 1) AS INT)
  END AS `_endpoint_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m = 1 THEN get(transform(zip_with(array(_f0), array(0), (one, _) -> one), f -> get(transform(array(CAST(least(CAST(conv(hex(substring(f, _endpoint_stop + 1, 4)), 16, 10) AS BIGINT), (length(f) - (_endpoint_stop + 4)) DIV 4 + 1) AS INT)), n -> CASE
      WHEN n > 0 THEN get(transform(array(get(transform(array(aggregate(sequence(0, CAST((n - 1) DIV 256 AS INT)), array(named_struct('at', CAST(_endpoint_stop + 4 AS INT), 'places', CAST(array() AS ARRAY<INT>))), (done, r) -> array_append(done, aggregate(sequence(r * 256, least(r * 256 + 256, n) - 1), named_struct('at', element_at(done, -1).at, 'places', CAST(array() AS ARRAY<INT>)), (a, i) -> named_struct('at', CAST(least(a.at + 4 + CAST(conv(hex(substring(f, a.at + 1, 4)), 16, 10) AS BIGINT), length(f) + 1) AS INT), 'places', array_append(a.places, a.at)))))), t -> array_append(flatten(t.places), element_at(t, -1).at)), 0)), s -> get(transform(array(transform(sequence(0, size(s) - 2), i -> CAST(substring(f, s[i] + 5, s[i + 1] - s[i] - 4) AS STRING))), p -> named_struct('stop', element_at(s, -1), 'values', p, 'wrong', CASE
        WHEN element_at(s, -1) > length(f) OR exists(p, v -> NOT is_valid_utf8(CAST(v AS STRING)) OR CAST(v AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]') THEN get(filter(transform(sequence(0, size(p) - 1), i -> named_struct('fault', CASE
          WHEN s[i + 1] > length(f) THEN 1
          WHEN NOT is_valid_utf8(CAST(p[i] AS STRING)) OR CAST(p[i] AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 4
        END, 'at', s[i])), j -> j.fault IS NOT NULL), 0)
      END)), 0)), 0)
      ELSE named_struct('stop', _endpoint_stop + 4, 'values', CAST(array() AS ARRAY<STRING>), 'wrong', CAST(NULL AS STRUCT<fault: INT, at: INT>))
    END), 0)), 0)
  END AS `_groups_list`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m = 1 THEN CAST(least(_groups_list.stop + 2 + CAST(conv(hex(substring(_f0, _groups_list.stop + 2, 1)), 16, 10) AS BIGINT), length(_f0) + 1) AS INT)
  END AS `_name_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  CASE
    WHEN _m = 1 THEN get(transform(zip_with(array(_f0), array(0), (one, _) -> one), f -> get(transform(array(CAST(least(CAST(conv(hex(substring(f, _name_stop + 1, 4)), 16, 10) AS BIGINT) * 2, (length(f) - (_name_stop + 4)) DIV 1 + 1) AS INT)), n -> CASE
      WHEN n > 0 THEN get(transform(array(get(transform(array(aggregate(sequence(0, CAST((n - 1) DIV 256 AS INT)), array(named_struct('at', CAST(_name_stop + 4 AS INT), 'places', CAST(array() AS ARRAY<INT>))), (done, r) -> array_append(done, aggregate(sequence(r * 256, least(r * 256 + 256, n) - 1), named_struct('at', element_at(done, -1).at, 'places', CAST(array() AS ARRAY<INT>)), (a, i) -> named_struct('at', CASE
        WHEN i % 2 = 0 THEN CAST(least(a.at + 1 + CAST(conv(hex(substring(f, a.at + 1, 1)), 16, 10) AS BIGINT), length(f) + 1) AS INT)
        ELSE CAST(least(a.at + 4 + CAST(conv(hex(substring(f, a.at + 1, 4)), 16, 10) AS BIGINT), length(f) + 1) AS INT)
      END, 'places', array_append(a.places, a.at)))))), t -> array_append(flatten(t.places), element_at(t, -1).at)), 0)), s -> get(transform(array(transform(sequence(0, size(s) - 2), i -> CAST(substring(f, s[i] + CASE
        WHEN i % 2 = 0 THEN 1
        ELSE 4
      END + 1, s[i + 1] - s[i] - CASE
        WHEN i % 2 = 0 THEN 1
        ELSE 4
      END) AS STRING))), p -> named_struct('stop', element_at(s, -1), 'values', transform(sequence(0, CAST((size(p) - 1) DIV 2 AS INT)), i -> named_struct('key', p[2 * i], 'value', get(p, 2 * i + 1))), 'wrong', CASE
        WHEN element_at(s, -1) > length(f) OR exists(p, v -> NOT is_valid_utf8(CAST(v AS STRING)) OR CAST(v AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]') THEN get(filter(transform(sequence(0, size(p) - 1), i -> named_struct('fault', CASE
          WHEN s[i + 1] > length(f) THEN 1
          WHEN NOT is_valid_utf8(CAST(p[i] AS STRING)) OR CAST(p[i] AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 4
        END, 'at', s[i])), j -> j.fault IS NOT NULL), 0)
      END)), 0)), 0)
      ELSE named_struct('stop', _name_stop + 4, 'values', CAST(array() AS ARRAY<STRUCT<key: STRING, value: STRING>>), 'wrong', CAST(NULL AS STRUCT<fault: INT, at: INT>))
    END), 0)), 0)
  END AS `_headers_list`,
  CASE
    WHEN _m IN (8, 9) THEN CAST(least(_endpoint_stop + 1 + CAST(conv(hex(substring(_f0, _endpoint_stop + 1, 1)), 16, 10) AS BIGINT), length(_f0) + 1) AS INT)
  END AS `_challenger_id_stop`
FROM {source}
""",
        r"""
SELECT
  *,
  coalesce(size(frames), 0) AS `_n`,
  CASE
    WHEN _m IN (1, 3, 4, 5, 8, 9) THEN substring(_f0, 8, _endpoint_stop - 7)
  END AS `_endpoint_octets`,
  CASE
    WHEN _m = 1 THEN substring(_f0, _groups_list.stop + 3, _name_stop - (_groups_list.stop + 2))
  END AS `_name_octets`,
  CASE
    WHEN _m IN (8, 9) THEN substring(_f0, _endpoint_stop + 2, _challenger_id_stop - (_endpoint_stop + 1))
  END AS `_challenger_id_octets`
FROM {source}
""",
        r"""
SELECT
  *,
  CAST(CASE
    WHEN _m = 1 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) < 6 THEN 3
      WHEN _endpoint_stop > length(_f0) THEN 4
      WHEN NOT is_valid_utf8(CAST(_endpoint_octets AS STRING)) OR CAST(_endpoint_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 5
      WHEN length(_f0) < _endpoint_stop + 4 THEN 6
      WHEN _groups_list.wrong.fault = 1 THEN 7
      WHEN _groups_list.wrong.fault = 4 THEN 8
      WHEN length(_f0) < _groups_list.stop + 1 THEN 9
      WHEN _name_stop > length(_f0) THEN 10
      WHEN NOT is_valid_utf8(CAST(_name_octets AS STRING)) OR CAST(_name_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 11
      WHEN length(_f0) < _name_stop + 4 THEN 12
      WHEN _headers_list.wrong.fault = 1 THEN 13
      WHEN _headers_list.wrong.fault = 4 THEN 14
      WHEN length(_f0) > _headers_list.stop THEN 15
    END
    WHEN _m = 2 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN length(_f0) < 6 THEN 3
      WHEN length(_f0) > 6 THEN 16
    END
    WHEN _m = 3 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN length(_f0) < 6 THEN 3
      WHEN _endpoint_stop > length(_f0) THEN 17
      WHEN NOT is_valid_utf8(CAST(_endpoint_octets AS STRING)) OR CAST(_endpoint_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 18
      WHEN length(_f0) > _endpoint_stop THEN 19
    END
    WHEN _m IN (4, 5) THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) < 6 THEN 3
      WHEN _endpoint_stop > length(_f0) THEN 17
      WHEN NOT is_valid_utf8(CAST(_endpoint_octets AS STRING)) OR CAST(_endpoint_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 18
      WHEN length(_f0) < _endpoint_stop + 1 THEN 20
      WHEN length(_f0) > _endpoint_stop + 1 THEN 21
    END
    WHEN _m IN (6, 7, 10) THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) < 6 THEN 3
      WHEN length(_f0) > 6 THEN 16
    END
    WHEN _m = 8 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) < 6 THEN 3
      WHEN _endpoint_stop > length(_f0) THEN 17
      WHEN NOT is_valid_utf8(CAST(_endpoint_octets AS STRING)) OR CAST(_endpoint_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 18
      WHEN _challenger_id_stop > length(_f0) THEN 22
      WHEN NOT is_valid_utf8(CAST(_challenger_id_octets AS STRING)) OR CAST(_challenger_id_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 23
      WHEN length(_f0) > _challenger_id_stop THEN 24
    END
    WHEN _m = 9 THEN CASE
      WHEN _n < 1 THEN 1
      WHEN _n > 1 THEN 2
      WHEN length(_f0) < 6 THEN 3
      WHEN _endpoint_stop > length(_f0) THEN 17
      WHEN NOT is_valid_utf8(CAST(_endpoint_octets AS STRING)) OR CAST(_endpoint_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 18
      WHEN _challenger_id_stop > length(_f0) THEN 25
      WHEN NOT is_valid_utf8(CAST(_challenger_id_octets AS STRING)) OR CAST(_challenger_id_octets AS STRING) RLIKE r'[\x00-\x1F\x7F-\x9F]' THEN 26
      WHEN length(_f0) > _challenger_id_stop THEN 24
    END
    ELSE CASE
      WHEN _n = 0 THEN 27
      ELSE CASE
        WHEN NOT (substring(_f0, 1, 2) <=> X'AAA1') THEN 28
        WHEN NOT (substring(_f0, 4, 1) <=> X'02') THEN 29
        ELSE 30
      END
    END
  END AS INT) AS `_w`
FROM {source}
""",
        r"""
SELECT
  * EXCEPT (_n, _f0, _m, _endpoint_stop, _endpoint_octets, _groups_list, _name_stop, _name_octets, _headers_list, _challenger_id_stop, _challenger_id_octets, _w),
  CASE
    WHEN _w IS NULL THEN get(array('HELLO', 'WHISPER', 'SHOUT', 'JOIN', 'LEAVE', 'PING', 'PING-OK', 'ELECT', 'LEADER', 'GOODBYE'), _m - 1)
  END AS `command`,
  get(array('frame-count', 'frame-count', 'truncated', 'truncated', 'text', 'truncated', 'truncated', 'text', 'truncated', 'truncated', 'text', 'truncated', 'truncated', 'text', 'trailing', 'trailing', 'truncated', 'text', 'trailing', 'truncated', 'trailing', 'truncated', 'text', 'trailing', 'truncated', 'text', 'frame-count', 'constant', 'constant', 'command'), _w - 1) AS `code`,
  CASE
    WHEN _w IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26) THEN get(array('HELLO', 'WHISPER', 'SHOUT', 'JOIN', 'LEAVE', 'PING', 'PING-OK', 'ELECT', 'LEADER', 'GOODBYE'), _m - 1)
    WHEN _w > 0 THEN ''
  END AS `wrong_message`,
  get(array('', '', 'sequence', 'endpoint', 'endpoint', 'groups', 'groups', 'groups', 'status', 'name', 'name', 'headers', 'headers', 'headers', '', '', 'group', 'group', '', 'status', '', 'challenger_id', 'challenger_id', '', 'leader_id', 'leader_id', '', 'signature', 'version', 'command'), _w - 1) AS `wrong_field`,
  CASE
    WHEN _w IN (1) THEN CAST(_n AS INT)
    ELSE get(array(NULL, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), _w - 1)
  END AS `wrong_frame`,
  CASE
    WHEN _w IN (6, 19, 20, 22, 23, 25, 26) THEN CAST(_endpoint_stop AS INT)
    WHEN _w IN (7, 8) THEN CAST(_groups_list.wrong.at AS INT)
    WHEN _w IN (9) THEN CAST(_groups_list.stop AS INT)
    WHEN _w IN (10, 11) THEN CAST(_groups_list.stop + 1 AS INT)
    WHEN _w IN (12) THEN CAST(_name_stop AS INT)
    WHEN _w IN (13, 14) THEN CAST(_headers_list.wrong.at AS INT)
    WHEN _w IN (15) THEN CAST(_headers_list.stop AS INT)
    WHEN _w IN (21) THEN CAST(_endpoint_stop + 1 AS INT)
    WHEN _w IN (24) THEN CAST(_challenger_id_stop AS INT)
    ELSE get(array(0, 0, 4, 6, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 6, 6, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 3, 2), _w - 1)
  END AS `wrong_offset`,
  CAST(CASE
    WHEN _w IS NULL THEN CAST(conv(hex(substring(_f0, 5, 2)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `sequence`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(_endpoint_octets AS STRING)
  END AS STRING) AS `endpoint_field`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN _groups_list.values
  END AS ARRAY<STRING>) AS `groups`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(conv(hex(substring(_f0, _groups_list.stop + 1, 1)), 16, 10) AS BIGINT)
    WHEN _w IS NULL AND _m IN (4, 5) THEN CAST(conv(hex(substring(_f0, _endpoint_stop + 1, 1)), 16, 10) AS BIGINT)
  END AS BIGINT) AS `status`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN CAST(_name_octets AS STRING)
  END AS STRING) AS `name`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 1 THEN _headers_list.values
  END AS ARRAY<STRUCT<key: STRING, value: STRING>>) AS `headers`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (2, 3) THEN slice(frames, 2, greatest(_n - 1, 0))
  END AS ARRAY<BINARY>) AS `content`,
  CAST(CASE
    WHEN _w IS NULL AND _m IN (3, 4, 5, 8, 9) THEN CAST(_endpoint_octets AS STRING)
  END AS STRING) AS `group`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 8 THEN CAST(_challenger_id_octets AS STRING)
  END AS STRING) AS `challenger_id`,
  CAST(CASE
    WHEN _w IS NULL AND _m = 9 THEN CAST(_challenger_id_octets AS STRING)
  END AS STRING) AS `leader_id`
FROM {source}
""",
    ),
)
