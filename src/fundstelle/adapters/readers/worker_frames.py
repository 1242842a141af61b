"""Frame the messages between the application and a worker process.

A message is a JSON object and, behind it, columns of numbers as raw bytes. Nothing is ever
unpickled, so a worker that a hostile file has taken over cannot run code in the application.
"""

import json
import struct
from array import array
from collections.abc import Mapping, Sequence
from typing import IO, TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

Column: TypeAlias = "array[float] | array[int]"

_HEAD = struct.Struct("<4sIII")
HEAD_SIZE = _HEAD.size
"""Length of the part of a message that says how long the rest is."""

_MAGIC = b"FSW1"
_MAX_BYTES = 1 << 28


class BrokenFrameError(Exception):
    """Report a stream that ended within a message or never was one."""


def write_frame(stream: IO[bytes], header: Mapping[str, Json], columns: Mapping[str, Column]) -> None:
    """Write one message and flush it."""
    layout: Json = [[name, column.typecode, len(column)] for name, column in columns.items()]
    head = json.dumps({**header, "columns": layout}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    body = b"".join(column.tobytes() for column in columns.values())
    stream.write(_HEAD.pack(_MAGIC, len(head), len(body), 0) + head + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[dict[str, Json], dict[str, Sequence[float]]] | None:
    """Read one message from a stream that may be waited for without limit.

    Returns:
        Header and columns, or None at the end of the stream.

    Raises:
        BrokenFrameError: What came is no message.
    """
    head = stream.read(HEAD_SIZE)
    if not head:
        return None
    size = body_size(head)
    return parse_frame(size, stream.read(sum(size)))


def body_size(head: bytes) -> tuple[int, int]:
    """Read from the first bytes of a message how long its header and its columns are.

    Raises:
        BrokenFrameError: They begin no message.
    """
    if len(head) < HEAD_SIZE:
        raise BrokenFrameError("The stream ended within a message.")
    magic, header, columns, _ = _HEAD.unpack(head)
    if magic != _MAGIC or header + columns > _MAX_BYTES:
        raise BrokenFrameError("The stream holds no message.")
    return header, columns


def parse_frame(size: tuple[int, int], data: bytes) -> tuple[dict[str, Json], dict[str, Sequence[float]]]:
    """Read header and columns of a message.

    Raises:
        BrokenFrameError: The message is shorter than it says.
    """
    if len(data) < sum(size):
        raise BrokenFrameError("The stream ended within a message.")
    header = json.loads(data[: size[0]].decode("utf-8", "surrogatepass"))
    return header, _columns(header.pop("columns", []), data, size[0])


def _columns(layout: list[tuple[str, str, int]], data: bytes, offset: int) -> dict[str, Sequence[float]]:
    columns: dict[str, Sequence[float]] = {}
    for name, code, count in layout:
        column: Column = array(code)
        size = column.itemsize * count
        column.frombytes(data[offset : offset + size])
        columns[name] = column
        offset += size
    return columns
