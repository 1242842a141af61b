"""Count tokens with o200k_base, offline: the tokenizer of current OpenAI models, a fair yardstick for others.

Only the compiled core of bpe-openai is loaded, past its Python wrapper: the wrapper refuses texts of
more than 1,000,000 characters, and importing it unpacks three vocabularies (a second, 60 MB) that
the core has built in.
"""

import re
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Protocol, cast

_SURROGATE = re.compile("[\ud800-\udfff]")


class _Core(Protocol):
    def count(self, text: str) -> int: ...


class O200kTokenizer:
    """Count tokens of o200k_base; loads on first use (0.2 s, 65 MB), once per process. Thread-safe."""

    name = "o200k_base"

    def count(self, text: str) -> int:
        """Count the tokens of a text, exactly; a lone surrogate counts as U+FFFD."""
        try:
            return _core().count(text)
        except UnicodeEncodeError:
            return _core().count(_SURROGATE.sub("\ufffd", text))


@cache
def _core() -> _Core:
    package = find_spec("bpe_openai")
    locations = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec("bpe_openai._bindings", locations)
    if spec is None or spec.loader is None:
        raise ImportError(
            "The compiled tokenizer of bpe-openai is not installed.", name="bpe_openai._bindings"
        )
    bindings = module_from_spec(spec)
    spec.loader.exec_module(bindings)
    return cast("_Core", bindings.tokenizer_for_encoding("o200k_base"))
