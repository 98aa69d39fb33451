"""What the command line says around our own words is in the language asked for."""

import pytest

from nevel.languages import LANGUAGES
from tests.commands import run_nevel

WRONG = [
    (["rules"], "game is missing.", "Il manque game.", "game ontbreekt.", "game fehlt."),
    (
        ["ruls"],
        "There is no command ruls.",
        "Il n’y a pas de commande ruls.",
        "Er is geen commando ruls.",
        "Es gibt kein Kommando ruls.",
    ),
    (
        ["data", "draw"],
        "There is no command draw.",
        "Il n’y a pas de commande draw.",
        "Er is geen commando draw.",
        "Es gibt kein Kommando draw.",
    ),
    (
        ["rules", "misty", "more"],
        "This is too much: more",
        "C’est de trop\N{NO-BREAK SPACE}: more",
        "Dit is te veel: more",
        "Das ist zu viel: more",
    ),
    (
        ["games", "--frum"],
        "There is no option --frum.",
        "Il n’y a pas d’option --frum.",
        "Er is geen optie --frum.",
        "Es gibt keine Option --frum.",
    ),
    (
        ["simulate", "misty", "--seats"],
        "--seats needs a value.",
        "--seats demande une valeur.",
        "Bij --seats hoort een waarde.",
        "--seats braucht einen Wert.",
    ),
    (
        ["simulate", "misty", "--seats", "two"],
        "The value of --seats isn't valid.",
        "La valeur de --seats n’est pas valable.",
        "De waarde van --seats is niet geldig.",
        "Der Wert von --seats ist ungültig.",
    ),
]


@pytest.mark.parametrize(("typed", "english", "french", "dutch", "german"), WRONG)
def test_what_was_typed_wrongly_is_said_in_every_language(
    typed: list[str], english: str, french: str, dutch: str, german: str
) -> None:
    usages = {"en": "Usage", "fr": "Utilisation", "nl": "Gebruik", "de": "Aufruf"}
    assert set(usages) == set(LANGUAGES)
    for (code, usage), sentence in zip(usages.items(), (english, french, dutch, german), strict=True):
        done = run_nevel(*typed, NEVEL_LANGUAGE=code)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith((usage, sentence))  # a value that is missing comes without the usage
        assert done.stderr.splitlines()[-1] == sentence


def test_the_language_can_be_an_option_although_something_is_missing() -> None:
    done = run_nevel("rules", "--language", "fr", NEVEL_LANGUAGE="nl")
    assert done.stderr.splitlines()[-1] == "Il manque game."


def test_help_has_no_english_frame() -> None:
    done = run_nevel("ladder", "--help", NEVEL_LANGUAGE="nl")
    assert done.returncode == 0
    for english in ("Usage", "Options", "Arguments", "default:", "required", "Show this"):
        assert english not in done.stdout, done.stdout
    for dutch in ("Gebruik: ", "[OPTIES]", "Argumenten:", "Opties:", "[standaard: ", "[verplicht]", "Deze hulp tonen."):
        assert dutch in done.stdout, done.stdout
