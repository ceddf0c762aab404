# The bot alone: no tests, no demo, no compiler. The database lives in the volume /data.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS packages
COPY requirements/run.txt /tmp/run.txt
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary :all: --require-hashes -r /tmp/run.txt \
 && /venv/bin/pip uninstall --yes --quiet pip

FROM python:${PYTHON}-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin hatamoto \
 && install -d -o hatamoto -g hatamoto /data
COPY --from=packages /venv /venv
WORKDIR /app
COPY . .
RUN /venv/bin/python -m compileall -q /app
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HATAMOTO_DATABASE=/data/hatamoto.db
USER hatamoto
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s --retries=3 CMD ["python", "bot.py", "health"]
ENTRYPOINT ["python", "bot.py"]
CMD ["run"]
