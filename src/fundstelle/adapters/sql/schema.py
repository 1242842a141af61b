"""All tables of the database, complete: importing this module registers every one on `metadata`."""

import importlib
import pkgutil
from pathlib import Path

from fundstelle.adapters.sql.tables import metadata

for _module in pkgutil.iter_modules([str(Path(__file__).parent)]):
    if _module.name.endswith("tables"):
        importlib.import_module(f"fundstelle.adapters.sql.{_module.name}")

__all__ = ["metadata"]
