"""Settings, from the environment and from `.env`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal
from unicodedata import category

import yarl
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from db.address import ADDRESS, Address, where_of

SHARDS = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?/([0-9]{1,5})", re.ASCII)
MOST_HOURS, MOST_FACTOR = 87_600, 1_000_000  # ten years between backups; as good as no limit of rates


def a_place(path: Path) -> Path:
    """A path that a file can have."""
    if not path.name or any(category(sign) in ("Cc", "Zl", "Zp") for sign in str(path)):
        raise ValueError("must be the path of a file or folder")
    return path


def host_of(address: str) -> str | None:
    """The host that an address names, None where it names none."""
    try:
        return yarl.URL(address).host
    except ValueError:
        return None


def no_address(value: object) -> object:
    """Not `sqlite:///x.db`, `postgres://...`, `file:x.db?mode=ro`: they would become folders of that name."""
    if isinstance(value, str) and ADDRESS.match(value.strip()):
        raise ValueError("must be the path of a file or folder, not an address")
    return value


def a_database(value: object) -> object:
    """A file, or the address of a PostgreSQL database."""
    place = where_of(value) if isinstance(value, str) else value
    return a_place(place) if isinstance(place, Path) else place


DatabasePlace = Annotated[Path | Address, BeforeValidator(a_database)]
FilePlace = Annotated[Path, BeforeValidator(no_address), AfterValidator(a_place)]


@dataclass(frozen=True)
class Shards:
    """The shards that a process runs, of how many the bot has: a server's is `(id >> 22) % count`."""

    first: int
    last: int
    count: int

    @property
    def ids(self) -> list[int]:
        """Their numbers."""
        return list(range(self.first, self.last + 1))

    @property
    def whole(self) -> bool:
        """Whether the bot has no others."""
        return self.last - self.first + 1 == self.count

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"


def some_shards(value: object) -> object:
    """`0-3/16` or `5/16`; what is neither is refused."""
    if not isinstance(value, str):
        return value
    found = SHARDS.fullmatch(value.strip())
    first, last, count = (0, 0, 0) if found is None else (int(n or found[1]) for n in found.groups())
    if not 0 <= first <= last < count:
        raise ValueError("must be some shards of all, such as 0-3/16, the first of which is 0")
    return Shards(first, last, count)


class Settings(BaseSettings):
    """From the environment, then from `.env`."""

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True
    )

    token: SecretStr = Field(SecretStr(""), validation_alias="DISCORD_TOKEN")
    database: DatabasePlace = Field(Path("data/hatamoto.db"), validation_alias="HATAMOTO_DATABASE")
    api_base: str | None = Field(None, validation_alias="DISCORD_API_BASE")
    shards: Annotated[Shards | None, NoDecode, BeforeValidator(some_shards)] = Field(
        None, validation_alias="HATAMOTO_SHARDS"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", validation_alias="HATAMOTO_LOG")
    log_format: Literal["text", "json"] = Field("text", validation_alias="HATAMOTO_LOG_FORMAT")
    backups: FilePlace | None = Field(None, validation_alias="HATAMOTO_BACKUPS")
    backup_hours: float = Field(24.0, validation_alias="HATAMOTO_BACKUP_HOURS", gt=0, le=MOST_HOURS)
    backups_kept: int = Field(14, validation_alias="HATAMOTO_BACKUPS_KEPT", ge=1)
    http_port: int | None = Field(None, validation_alias="HATAMOTO_HTTP_PORT", ge=0, le=65535)
    http_host: str = Field("127.0.0.1", validation_alias="HATAMOTO_HTTP_HOST")
    emoji: bool = Field(True, validation_alias="HATAMOTO_EMOJI")
    rate_factor: float = Field(1.0, validation_alias="HATAMOTO_RATE_FACTOR", ge=0, le=MOST_FACTOR)

    @field_validator("api_base")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value and not (value.startswith(("http://", "https://")) and host_of(value)):
            raise ValueError("must be an http(s) address that ends in /api/v10")
        return value.rstrip("/") if value else None

    @field_validator("log_level", mode="before")
    @classmethod
    def _capitals(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("shards")
    @classmethod
    def _of_one_database(cls, value: Shards | None, known: ValidationInfo) -> Shards | None:
        """Several processes have one database only where that is a server."""
        place = known.data.get("database")
        if value is not None and not value.whole and place is not None and not isinstance(place, Address):
            raise ValueError("some of all shards take HATAMOTO_DATABASE=postgresql://...")
        return value

    @property
    def part(self) -> str:
        """What files of this process alone are called by, where it runs some of all shards."""
        return "" if self.shards is None else f"-{self.shards.first}-{self.shards.last}"
