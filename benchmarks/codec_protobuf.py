"""Google's protobuf with the same fields, in its own wire format."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from codec_cases import CASES, Action, Codec, reader

_Field = descriptor_pb2.FieldDescriptorProto
_NUMBERS = {"time": _Field.TYPE_UINT64}


def codec() -> Codec:
    """What protobuf does with all messages."""
    classes = _classes()
    return Codec(
        "protobuf, parse and read",
        {name: _reading(name, kind) for name, kind in classes.items()},
        {name: _writing(name, kind) for name, kind in classes.items()},
        goal=1,
    )


def _classes() -> dict[str, Any]:
    """The message classes, made from the values' types."""
    file = descriptor_pb2.FileDescriptorProto(name="bench.proto", package="bench", syntax="proto3")
    pair = file.message_type.add(name="Pair")
    pair.field.add(name="key", number=1, type=_Field.TYPE_STRING, label=_Field.LABEL_OPTIONAL)
    pair.field.add(name="value", number=2, type=_Field.TYPE_STRING, label=_Field.LABEL_OPTIONAL)
    for name, values in CASES.items():
        message = file.message_type.add(name=_class_name(name))
        for number, (field, value) in enumerate(values.items(), start=1):
            listed = isinstance(value, tuple)
            label = _Field.LABEL_REPEATED if listed else _Field.LABEL_OPTIONAL
            kind = _kind(field, value[0] if listed else value)
            added = message.field.add(name=field, number=number, type=kind, label=label)
            if kind == _Field.TYPE_MESSAGE:
                added.type_name = ".bench.Pair"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(
            pool.FindMessageTypeByName(f"bench.{_class_name(name)}")
        )
        for name in CASES
    }


def _kind(field: str, value: object) -> Any:
    if isinstance(value, bytes):
        return _Field.TYPE_BYTES
    if isinstance(value, str):
        return _Field.TYPE_STRING
    if isinstance(value, tuple):
        return _Field.TYPE_MESSAGE
    return _NUMBERS.get(field, _Field.TYPE_UINT32)


def _class_name(name: str) -> str:
    return name.replace(" ", "")


def _reading(name: str, kind: Any) -> Action:
    octets = kind(**_values(name)).SerializeToString()
    parse = kind.FromString
    fields = reader(tuple(CASES[name]))
    if name == "HELLO":

        def read_hello() -> object:
            message = parse(octets)
            headers = [(pair.key, pair.value) for pair in message.headers]
            return fields(message), [*message.groups], headers

        return read_hello
    if isinstance(CASES[name].get("content", CASES[name].get("body")), tuple):
        last = "content" if "content" in CASES[name] else "body"

        def read_frames() -> object:
            message = parse(octets)
            return fields(message), [*getattr(message, last)]

        return read_frames
    return lambda: fields(parse(octets))


def _writing(name: str, kind: Any) -> Action:
    given = tuple(_values(name).items())
    return lambda: kind(**dict(given)).SerializeToString()


def _values(name: str) -> dict[str, Any]:
    values = dict(CASES[name])
    if name == "HELLO":
        values["headers"] = [{"key": key, "value": value} for key, value in values["headers"]]
    return values
