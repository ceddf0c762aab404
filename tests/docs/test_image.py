"""The image and how it is run: what is pinned, bounded and watched over (14.17)."""

from __future__ import annotations

import re
from pathlib import Path

from settings import Shards, some_shards

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = (ROOT / "compose.yaml").read_text()
MANUAL = (ROOT / "docs" / "operations.md").read_text()


def test_compose_watches_over_its_health_as_the_image_does():  # podman's format drops the image's check
    line = re.search(r"^HEALTHCHECK (?P<options>.*) CMD (?P<command>\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert line is not None
    command = line["command"].removeprefix("[")
    assert f'test: ["CMD", {command}' in COMPOSE
    for option, value in re.findall(r"--([\w-]+)=(\w+)", line["options"]):
        assert re.search(rf"^ +{option.replace('-', '_')}: {value}$", COMPOSE, re.MULTILINE), option
    assert "podman build --format docker" in MANUAL


def test_the_base_is_named_by_version_and_release_and_can_be_pinned_to_a_digest():
    tag = re.search(r"^ARG PYTHON=(3\.\d+(?:\.\d+)?-slim-[a-z]+)$", DOCKERFILE, re.MULTILINE)
    assert tag is not None
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) == {"python:${PYTHON}"}
    assert f"--build-arg PYTHON={tag[1]}@sha256:" in MANUAL


def test_what_the_image_copies_is_let_into_the_build():
    let_in = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    copied = re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE)
    assert {path for path in copied if path != "."} == {path for path in let_in if path.endswith(".txt")}
    assert all((ROOT / path).exists() for path in let_in)
    parts = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {"bot.py", "settings.py"}
    assert parts - let_in == {"bench", "examples", "kit"}


def test_a_process_of_the_cluster_can_write_its_sign_of_life():  # its file system is read-only
    folder = re.search(r"HATAMOTO_FOLDER=(\S+)", DOCKERFILE)
    assert folder is not None
    text = (ROOT / "compose.cluster.yaml").read_text()
    assert folder[1] in re.findall(r"^    - (?:data:)?(/\S+)", text, re.MULTILINE)


def test_every_package_of_the_image_is_pinned_by_hash_and_the_tool_that_pins_them_by_version():
    assert "--require-hashes" in DOCKERFILE
    names = re.split(
        r"^(?=[a-z0-9])", (ROOT / "requirements" / "postgresql.txt").read_text(), flags=re.MULTILINE
    )[1:]
    assert names
    for package in names:
        assert re.match(r"[\w.\[\]-]+==\S+", package), package
        assert "--hash=sha256:" in package, package
    assert re.search(r"^UV\s*:?=\s*\d+\.\d+\.\d+$", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_memory_and_processes_are_bounded_as_the_manual_says():
    memory = re.search(r"^ +mem_limit: (\d+)m$", COMPOSE, re.MULTILINE)
    processes = re.search(r"^ +pids_limit: (\d+)$", COMPOSE, re.MULTILINE)
    assert memory is not None
    assert processes is not None
    assert f"bounds memory ({memory[1]} MB" in MANUAL
    assert f"processes ({processes[1]})" in MANUAL


def test_what_turns_hebrew_round_is_in_the_image_and_the_build_asks_for_it():
    assert re.search(r"apt-get install .*\blibfribidi0\b", DOCKERFILE)
    assert "features.check('fribidi')" in DOCKERFILE


def test_what_the_cluster_keeps_in_files_lies_in_a_volume_with_a_name():  # 19.5: `run --rm` removes others
    text = (ROOT / "compose.cluster.yaml").read_text()
    (folder,) = re.findall(r"HATAMOTO_FOLDER=(\S+)", DOCKERFILE)
    (name,) = re.findall(rf"^    - (\w+):{folder}\b", text, re.MULTILINE)
    assert re.search(rf"^volumes:\n(  \w+:\n)*  {name}:\n", text, re.MULTILINE)


def test_each_shard_of_the_cluster_is_one_process_s_own():  # 19.5
    text = (ROOT / "compose.cluster.yaml").read_text()
    found = [some_shards(one) for one in re.findall(r"HATAMOTO_SHARDS: (\S+)", text)]
    parts = [part for part in found if isinstance(part, Shards)]
    assert len(parts) == len(re.findall(r"^  bot-\d+:$", text, re.MULTILINE)) == 2
    assert len({part.count for part in parts}) == 1
    assert sorted(shard for part in parts for shard in part.ids) == list(range(parts[0].count))
