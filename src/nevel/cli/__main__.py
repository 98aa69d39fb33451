"""`python -m nevel.cli …`."""

from nevel.cli import app

app()
