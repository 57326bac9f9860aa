"""Google's protobuf with the same fields, in its own wire format.

Twice, because the choice decides some of the ratios. In an envelope with a `oneof` the receiver finds
out which message came, as zwire's decoders do (ZRE/LOG has one message only and needs none). Bare, it
is told beforehand: less work than zwire does, and the hardest comparison.
"""

from __future__ import annotations

from typing import Any

from codec_cases import CASES, Action, Codec, reader
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_Field = descriptor_pb2.FieldDescriptorProto
_WIDE = ("time",)  # numbers that need 64 bits


def codecs() -> list[Codec]:
    """What protobuf does with all messages, in an envelope and bare."""
    classes = _classes()
    return [
        Codec(
            name,
            {case: _reading(case, classes, enveloped) for case in CASES},
            {case: _writing(case, classes, enveloped) for case in CASES},
            goal=1,
        )
        for name, enveloped in (("protobuf, oneof", True), ("protobuf, bare", False))
    ]


def _classes() -> dict[str, Any]:
    """A class for every case, made from its values, and the envelope around them."""
    file = descriptor_pb2.FileDescriptorProto(name="bench.proto", package="bench", syntax="proto3")
    pair = file.message_type.add(name="Pair")
    pair.field.add(name="key", number=1, type=_Field.TYPE_STRING, label=_Field.LABEL_OPTIONAL)
    pair.field.add(name="value", number=2, type=_Field.TYPE_STRING, label=_Field.LABEL_OPTIONAL)
    envelope = file.message_type.add(name="Envelope")
    envelope.oneof_decl.add(name="message")
    for place, (name, values) in enumerate(CASES.items(), start=1):
        message = file.message_type.add(name=_plain(name))
        for number, (field, value) in enumerate(values.items(), start=1):
            listed = isinstance(value, tuple)
            label = _Field.LABEL_REPEATED if listed else _Field.LABEL_OPTIONAL
            kind = _kind(field, value[0] if listed else value)
            added = message.field.add(name=field, number=number, type=kind, label=label)
            if kind == _Field.TYPE_MESSAGE:
                added.type_name = ".bench.Pair"
        envelope.field.add(
            name=_plain(name),
            number=place,
            type=_Field.TYPE_MESSAGE,
            type_name=f".bench.{_plain(name)}",
            label=_Field.LABEL_OPTIONAL,
            oneof_index=0,
        )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"bench.{name}"))
        for name in ("Envelope", *map(_plain, CASES))
    }


def _kind(field: str, value: object) -> Any:
    if isinstance(value, bytes):
        return _Field.TYPE_BYTES
    if isinstance(value, str):
        return _Field.TYPE_STRING
    if isinstance(value, tuple):
        return _Field.TYPE_MESSAGE
    return _Field.TYPE_UINT64 if field in _WIDE else _Field.TYPE_UINT32


def _plain(name: str) -> str:
    return name.replace(" ", "_").lower()


def _reading(name: str, classes: dict[str, Any], enveloped: bool) -> Action:
    octets = _written(name, classes, enveloped)
    fields = _fields(name)
    if not enveloped or name == "LOG":
        parse_bare = classes[_plain(name)].FromString
        return lambda: fields(parse_bare(octets))
    parse = classes["Envelope"].FromString

    def read() -> object:
        envelope = parse(octets)
        return fields(getattr(envelope, envelope.WhichOneof("message")))

    return read


def _fields(name: str) -> Any:
    """A function that reads all fields, those that are repeated item by item."""
    if name == "HELLO":
        plain = reader(("sequence", "endpoint", "status", "name"))
        return lambda message: (
            plain(message),
            tuple(message.groups),
            tuple([(pair.key, pair.value) for pair in message.headers]),
        )
    repeated = next((f for f, value in CASES[name].items() if isinstance(value, tuple)), None)
    if repeated is None:
        return reader(tuple(CASES[name]))
    plain = reader(tuple(field for field in CASES[name] if field != repeated))
    further = reader((repeated,))
    return lambda message: (plain(message), tuple(further(message)[0]))


def _writing(name: str, classes: dict[str, Any], enveloped: bool) -> Action:
    return lambda: _written(name, classes, enveloped)


def _written(name: str, classes: dict[str, Any], enveloped: bool) -> bytes:
    plain = _plain(name)
    message = classes[plain](**_values(name))
    if enveloped and name != "LOG":
        message = classes["Envelope"](**{plain: message})
    octets = message.SerializeToString()
    assert isinstance(octets, bytes)
    return octets


def _values(name: str) -> dict[str, Any]:
    values = CASES[name]
    if name != "HELLO":
        return values
    return {**values, "headers": [{"key": k, "value": v} for k, v in values["headers"]]}
