"""Benchmarks: `make bench` measures on this machine and writes docs/performance.md."""
