"""One Chromium that photographs page after page: to start one for each took longer than to draw it."""

from __future__ import annotations

import asyncio
import base64
import json
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse

LONGEST_S = 120.0  # for a photograph, on a machine that others load
LOOKED = 0.1  # seconds between two looks whether a page is ready
ENDPOINT = b"DevTools listening on "
READY = """(() => {
  const app = document.getElementById("preview-app");
  return !!app && app.getAttribute("aria-busy") === "false" && document.fonts.status === "loaded"
    && !!document.querySelector("[data-message-id], .modal-dialog")
    && [...document.images].every((one) => one.complete);
})()"""
WHOLE = "document.querySelector('.modal-dialog')?.style.setProperty('max-height', 'none')"  # else it scrolls
TIMES_READY = 4  # in a row: pictures come after the words


class Camera:
    """A page of a browser, spoken to over its debugging protocol."""

    def __init__(self, line: ClientWebSocketResponse) -> None:
        self._line = line
        self._number = 0
        self._session: str | None = None

    async def attach(self) -> None:
        """A page of its own."""
        target = await self._ask("Target.createTarget", url="about:blank")
        attached = await self._ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = str(attached["sessionId"])
        await self._ask("Page.enable")

    async def photograph(self, url: str, file: Path, width: int, height: int) -> None:
        """A page as it is when nothing on it is on its way any more. Raises TimeoutError if that never is."""
        async with asyncio.timeout(LONGEST_S):
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            await self._ask("Emulation.setDeviceMetricsOverride", **size)
            await self._ask("Page.navigate", url="about:blank")  # else only what is behind the # would change
            await self._ask("Page.navigate", url=url)
            ready = 0
            while ready < TIMES_READY:
                await asyncio.sleep(LOOKED)
                found = await self._ask("Runtime.evaluate", expression=READY)
                ready = ready + 1 if found["result"].get("value") else 0
            await self._ask("Runtime.evaluate", expression=WHOLE)
            taken = await self._ask("Page.captureScreenshot", format="png")
            file.write_bytes(base64.b64decode(taken["data"]))  # noqa: ASYNC240 - nothing else runs

    async def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        asked: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            asked["sessionId"] = self._session
        await self._line.send_json(asked)
        while True:
            told = json.loads(await self._line.receive_str())
            if told.get("id") == self._number:
                if "error" in told:
                    raise RuntimeError(f"{method}: {told['error']}")
                result: dict[str, Any] = told["result"]
                return result


@asynccontextmanager
async def camera() -> AsyncIterator[Camera]:
    """A Chromium of its own, which ends with the block."""
    with tempfile.TemporaryDirectory(prefix="hatamoto-camera-", ignore_cleanup_errors=True) as place:
        process = await asyncio.create_subprocess_exec(
            "chromium",
            *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-extensions"),
            *("--remote-debugging-port=0", f"--user-data-dir={place}", "about:blank"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        assert process.stderr is not None
        try:
            while not (said := await process.stderr.readline()).startswith(ENDPOINT):
                if not said:
                    raise RuntimeError("Chromium did not start")
            address = said[len(ENDPOINT) :].decode().strip()
            draining = asyncio.create_task(process.stderr.read())
            async with ClientSession() as http, http.ws_connect(address, max_msg_size=0) as line:
                made = Camera(line)
                await made.attach()
                yield made
            draining.cancel()
        finally:
            process.terminate()
            await process.wait()
