# A Nevel server: docker build --tag nevel . && docker run --publish 8000:8000 --volume nevel:/data nevel

# By its tag: of which digest it is today, only whoever pulls it can tell. Write the one you have tried in its place.
FROM python:3.11-slim AS build
WORKDIR /source
RUN python -m venv /opt/nevel
ARG PIP="/opt/nevel/bin/pip --no-cache-dir --disable-pip-version-check"
# Every file that is fetched has to have the hash that is written down; what is only needed to build goes again.
COPY hashes-build.txt hashes.txt ./
RUN $PIP install --no-deps --require-hashes -r hashes-build.txt && \
    $PIP install --no-deps --no-build-isolation --require-hashes -r hashes.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN $PIP install --no-deps --no-build-isolation . && \
    $PIP uninstall --yes hatchling packaging pathspec pluggy setuptools trove-classifiers && \
    $PIP check

FROM python:3.11-slim
# For which processors the rules and bots are compiled: all of this kind, so that the image starts quickly anywhere.
ARG CPU=generic
ENV PATH=/opt/nevel/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    NUMBA_CACHE_DIR=/var/cache/nevel \
    NUMBA_CPU_NAME=${CPU} \
    NEVEL_HOST=0.0.0.0 \
    NEVEL_DATABASE=/data/nevel.db
# Whoever is given another number when a container starts is still in the group of number 0, and writes here by that.
RUN useradd --system --create-home nevel && \
    install --directory --owner=nevel --group=root --mode=2775 /data /var/cache/nevel
COPY --from=build /opt/nevel /opt/nevel
USER nevel
# Everything is compiled now, not when the first container starts.
RUN umask 002 && python -c "from nevel.web.server.warming import warm_bots, warm_rules, warm_study; warm_rules(); warm_bots(); warm_study()"
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=3m \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["nevel", "serve"]
