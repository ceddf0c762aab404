"""Measurements of the running process, for `/metrics`."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Histogram

REGISTRY = CollectorRegistry()
RENDER = Histogram(
    "hatamoto_render_seconds",
    "A picture, from the view to the PNG",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
    registry=REGISTRY,
)
