"""The files for containers name what is there. Building an image needs a network and a daemon; this doesn't."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import yaml

from deploy import licences
from deploy.hashes import BUILDERS, HEADING, pins
from nevel.web.server.server import make_app
from nevel.web.server.settings import PREFIX, Settings, read_settings
from tests.commands import run_nevel

ROOT = Path(__file__).parents[1]
#: The Dockerfile's instructions, continued lines joined, without comments.
TEXT = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text("utf-8"))
INSTRUCTIONS = [line.split(maxsplit=1) for line in TEXT.splitlines() if line and not line.startswith("#")]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def told(name: str) -> list[str]:
    return [rest for instruction, rest in INSTRUCTIONS if instruction == name]


def environment() -> dict[str, str]:
    (line,) = told("ENV")
    return dict(item.split("=", 1) for item in shlex.split(line))


def test_what_is_copied_is_there_and_isnt_left_out() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    sources = [name for line in told("COPY") if not line.startswith("--from") for name in line.split()[:-1]]
    assert set(sources) == let_in
    for name in sources:
        assert (ROOT / name).exists()


def test_the_server_runs_as_nobody_special_with_settings_it_knows() -> None:
    names = [instruction for instruction, _ in INSTRUCTIONS]
    assert told("USER") == ["nevel"]
    assert names.index("USER") < len(names) - 1 - names[::-1].index("RUN"), "what is compiled belongs to that user"
    ours = {name: value for name, value in environment().items() if name.startswith(PREFIX)}
    settings = read_settings({}, None, ours)
    assert set(ours) == {PREFIX + name.upper() for name in ("host", "database")}
    assert (settings.host, settings.database) == ("0.0.0.0", "/data/nevel.db")
    assert told("EXPOSE") == [str(settings.port)]
    assert told("VOLUME") == [str(Path(settings.database).parent)]


def test_whoever_runs_it_finds_what_is_compiled() -> None:
    """A user with a number of no name is in the group of number 0; without it everything is compiled at every start."""
    (made,) = (line for line in told("RUN") if "install --directory" in line)
    install = shlex.split(made.split("&&")[1])
    assert {"--group=root", "--mode=2775"} <= set(install)
    folders = {word for word in install if word.startswith("/")}
    assert folders == {"/data", environment()["NUMBA_CACHE_DIR"]}
    assert told("RUN")[-1].startswith("umask 002 && python -c")


def test_its_commands_can_be_run() -> None:
    (start,) = told("CMD")
    program, *arguments = json.loads(start)
    assert program == "nevel"
    shown = run_nevel(*arguments, "--help", NEVEL_LANGUAGE="en")
    assert shown.returncode == 0, shown.stderr
    assert "--database" in shown.stdout
    (check,) = told("HEALTHCHECK")
    assert "--start-interval" not in check, "older builders refuse the whole file for it"
    program, flag, code = json.loads(check[check.index("[") :])
    assert (program, flag) == ("python", "-c")
    compile(code, "Dockerfile", "exec")
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(/\w+)", code)
    assert path in {getattr(route, "path", None) for route in make_app(Settings()).routes}
    (warming,) = re.findall(r'RUN .*python -c "(.*?)"', TEXT)
    names = "warm_bots, warm_rules, warm_study"
    assert warming == f"from nevel.web.server.warming import {names}; warm_rules(); warm_bots(); warm_study()"


def test_compose_sets_what_there_is_to_set() -> None:
    server, database = COMPOSE["services"]["nevel"], COMPOSE["services"]["database"]
    given = {"POSTGRES_PASSWORD": "secret"}

    def filled(text: str) -> str:
        """A value with what Compose puts in."""

        def fill(match: re.Match[str]) -> str:
            return given.get(match["name"], match["usual"] or "")

        return re.sub(r"\$\{(?P<name>\w+):(?:-(?P<usual>[^}]*)|\?[^}]*)\}", fill, text)

    names = {PREFIX + name.upper() for name in Settings.__struct_fields__}
    assert set(server["environment"]) <= names
    settings = read_settings({}, None, {name: filled(value) for name, value in server["environment"].items()})
    variables = {name: filled(value) for name, value in database["environment"].items()}
    user, password, name = (variables[f"POSTGRES_{part}"] for part in ("USER", "PASSWORD", "DB"))
    assert settings.database == f"postgresql://{user}:{password}@database/{name}"
    assert settings.workers == 2
    assert settings.metrics_token == ""
    assert server["depends_on"]["database"]["condition"] == "service_healthy"
    assert filled(server["ports"][0]) == f"127.0.0.1:8000:{settings.port}"
    assert int(server["stop_grace_period"].removesuffix("s")) > settings.grace
    assert f"--host localhost --username {user}" in database["healthcheck"]["test"][1]
    assert settings.backup_folder.startswith(f"{told('VOLUME')[0]}/")
    (volume,) = database["volumes"]
    assert volume.split(":")[0] in COMPOSE["volumes"]


def test_no_image_names_a_registry() -> None:
    images = [line.split()[0] for line in told("FROM")] + [COMPOSE["services"]["database"]["image"]]
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+", image) for image in images), images


def test_containers_have_no_rights_they_dont_need() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        assert "/tmp" in service["tmpfs"], name
        assert service["pids_limit"] > 0, name
        assert service["mem_limit"], name
        assert service["healthcheck"]["test"], name
        assert "privileged" not in service, name
        for volume in service["volumes"]:
            assert volume.split(":")[0] in COMPOSE["volumes"], name
    server, database = COMPOSE["services"]["nevel"], COMPOSE["services"]["database"]
    assert "cap_add" not in server, "the server needs none at all"
    assert set(database["cap_add"]) == {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}
    # What has to be written to is a volume: the data with its backups, and what is compiled.
    places = {volume.split(":")[1] for volume in server["volumes"]}
    assert places == {*told("VOLUME"), environment()["NUMBA_CACHE_DIR"]}
    compile(server["healthcheck"]["test"][3], "compose.yaml", "exec")


HASHED = re.compile(r"^([\w.-]+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)


def test_all_that_is_fetched_for_the_image_has_a_hash() -> None:
    written = (ROOT / "hashes.txt").read_text("utf-8")
    hashed = {name: version for name, version, _ in HASHED.findall(written)}
    assert hashed == pins(), "run `make hashes`"
    assert HASHED.sub("", written).strip() == HEADING.format(what="All that goes into the image").strip()
    built = {name: version for name, version, _ in HASHED.findall((ROOT / "hashes-build.txt").read_text("utf-8"))}
    assert built == BUILDERS, "run `make hashes`"
    installs = [line for line in told("RUN") if "$PIP install" in line]
    assert all("--no-deps" in line for line in installs)
    assert "--require-hashes -r hashes-build.txt" in installs[0]
    assert "--require-hashes -r hashes.txt" in installs[0]
    (removed,) = re.findall(r"uninstall --yes ([\w -]+?) &&", installs[1])
    assert set(removed.split()) == set(BUILDERS), "only what isn't needed any more"
    assert not set(BUILDERS) & set(hashed), "what runs isn't taken away again"


def test_the_licences_are_those_of_what_is_installed() -> None:
    page = licences.FILE.read_text("utf-8")
    assert page == licences.text(), "run `make licences`"
    assert "| num2words | 0.5.14 | LGPL-2.1 |" in page
    assert page.count("LGPL") == 2, "what is under the LGPL is explained"
