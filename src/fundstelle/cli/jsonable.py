"""Turns the typed results of use cases into what JSON can hold; names stay as they are."""

import base64
import dataclasses
from collections.abc import Mapping, Set
from datetime import datetime
from enum import Enum
from pathlib import PurePath


def jsonable(value: object) -> object:
    """Convert dataclasses to objects, sequences to lists, times to ISO 8601, bytes to base64."""
    match value:
        case None | bool() | int() | float() | Enum():
            return value.value if isinstance(value, Enum) else value
        case str() | PurePath():
            return str(value)
        case bytes():
            return base64.b64encode(value).decode("ascii")
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(jsonable(key)): jsonable(item) for key, item in value.items()}
        case Set():
            return sorted(str(jsonable(item)) for item in value)
        case list() | tuple():
            return [jsonable(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: jsonable(getattr(value, field.name)) for field in dataclasses.fields(value)}
    msg = f"{type(value).__name__} has no form in JSON."
    raise TypeError(msg)


def json_object(value: object) -> dict[str, object]:
    """Convert a dataclass to an object."""
    converted = jsonable(value)
    assert isinstance(converted, dict), "only dataclasses and mappings are printed as objects"
    return converted
