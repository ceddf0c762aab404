# The bot alone: no tests, no demo, no compiler. The database lives in the volume /data.
# Pinned to a digest for releases: see "The image" in docs/operations.md.
ARG PYTHON=3.13-slim-bookworm

FROM python:${PYTHON} AS packages
COPY requirements/postgresql.txt /tmp/run.txt
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary :all: --require-hashes -r /tmp/run.txt \
 && /venv/bin/pip uninstall --yes --quiet pip

FROM python:${PYTHON}
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libfribidi0 \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin hatamoto \
 && install -d -o hatamoto -g hatamoto /data
COPY --from=packages /venv /venv
WORKDIR /app
COPY . .
RUN /venv/bin/python -c "from PIL import features; assert features.check('raqm') and features.check('fribidi')" \
 && /venv/bin/python -m compileall -q /app
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HATAMOTO_DATABASE=/data/hatamoto.db \
    HATAMOTO_FOLDER=/data
USER hatamoto
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s --retries=3 CMD ["python", "bot.py", "health"]
ENTRYPOINT ["python", "bot.py"]
CMD ["run"]
