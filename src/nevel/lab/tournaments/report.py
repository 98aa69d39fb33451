"""A tournament's report: one HTML page with tables and drawings in it, that needs nothing else."""

from collections.abc import Sequence
from html import escape

from nevel.game.spec import GameSpec
from nevel.lab.figures.intervals import Interval
from nevel.lab.figures.plots import Dot, distribution_plot, dot_plot
from nevel.lab.matches.ladder import Ladder, Rating
from nevel.lab.tournaments.plan import PlayerSettings
from nevel.lab.tournaments.tournament import Tournament, points_of
from nevel.languages import Language, mark

STYLE = """
  :root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --quiet: #59636e; --line: #d1d9e0 }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #f0f6fc; --paper: #0d1117; --quiet: #9198a1; --line: #3d444d }
  }
  body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
         max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
  h2 { margin-top: 2.5rem }
  table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto }
  th, td { padding: .3rem .8rem .3rem 0; text-align: left; border-bottom: 1px solid var(--line) }
  td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
  svg { max-width: 100%; height: auto }
  p.small { color: var(--quiet); font-size: .9rem }
"""

Rows = Sequence[Sequence[str]]


def write_report(tournament: Tournament, language: Language) -> str:
    """The whole page."""
    plan = tournament.plan
    say = language.say
    parts = [
        "<!doctype html>",
        f'<html lang="{language.code}">',
        '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(plan.name)}</title><style>{STYLE}</style></head>",
        f"<body><h1>{escape(plan.name)}</h1>",
        f"<h2>{escape(say(mark('Players')))}</h2>",
        table(
            [say(mark("Name")), say(mark("Player")), say(mark("Budget per move"))],
            [[player.title, player.who, budget(tournament, player, language)] for player in plan.settings.player],
        ),
    ]
    for ladder in tournament.ladders:
        parts += event(ladder, language)
    parts.append(f"<h2>{escape(say(mark('How it was played')))}</h2>")
    parts += [f'<p class="small">{escape(sentence)}</p>' for sentence in explanations(tournament, language)]
    return "\n".join([*parts, "</body></html>", ""])


def event(ladder: Ladder, language: Language) -> list[str]:
    """One game's part: ratings, pairings, points."""
    say = language.say
    ratings, pairings = ladder.ratings(), ladder.pairings()
    dots = [Dot(rating.level, rating.rating, *rating.interval) for rating in ratings]
    meetings = [Dot(f"{each.first} – {each.second}", each.score, *each.interval) for each in pairings]
    points = {rating.level: points_of(ladder)[rating.level].tolist() for rating in ratings}
    spec = ladder.matches.spec
    points = {name: [spec.readable_points(figure) for figure in figures] for name, figures in points.items()}
    headings = [say(mark("Player")), say(mark("Rating")), say(mark("95%"))]
    if ladder.is_cooperative:
        headings += [say(mark("Games won")), say(mark("95%")), say(spec.points_heading)]
    shared = mark("Cards left") if spec.counts_cards_left else mark("Points")
    return [
        f"<h2>{escape(title(ladder, language))}</h2>",
        table(headings, [rating_row(rating, spec, language) for rating in ratings], numbers_from=1),
        dot_plot(
            say(mark("Ratings")),
            dots,
            say(mark("Ratings with 95% intervals: 400 points more means ten wins to one.")),
            lambda value: language.say_number(round(value)),
        ),
        table(
            [say(mark("Pairing")), say(mark("Share of the first")), say(mark("95%"))],
            [
                [f"{each.first} – {each.second}", percent(each.score, language), percents(each.interval, language)]
                for each in pairings
            ],
            numbers_from=1,
        ),
        dot_plot(
            say(mark("Pairings")),
            meetings,
            say(mark("The first player's share, with 95% confidence.")),
            lambda value: percent(value, language),
        ),
        distribution_plot(
            say(shared), points, say(mark("How often each result came up; the dot is the mean.")), language.say_number
        ),
    ]


def rating_row(rating: Rating, spec: GameSpec, language: Language) -> list[str]:
    low, high = (language.say_number(round(edge)) for edge in rating.interval)
    cells = [rating.level, language.say_number(round(rating.rating)), f"{low} … {high}"]
    if rating.win_interval is not None:
        points = language.say_number(round(spec.readable_points(rating.points or 0), 1))
        cells += [percent(rating.win_rate or 0, language), percents(rating.win_interval, language), points]
    return cells


def explanations(tournament: Tournament, language: Language) -> list[str]:
    """What somebody needs who wants to know what the figures mean, or to have them again."""
    common = tournament.plan.settings.tournament
    told = [
        language.say(
            mark(
                "Ratings follow the Bradley-Terry model, by maximum likelihood; "
                "intervals are bootstrapped over the deals."
            )
        ),
        language.say(mark("Seed {seed}; all pairings played the same deals."), seed=common.seed)
        if common.common_deals
        else language.say(mark("Seed {seed}; every pairing had deals of its own."), seed=common.seed),
    ]
    if common.rotate:
        told.append(
            language.say(mark("Every deal was played in all rotations: every player sat in every chair equally often."))
        )
    told.append(language.say(repeatable(tournament)))
    return told


def repeatable(tournament: Tournament) -> str:
    """Whether a second run gives the same."""
    if tournament.plan.is_timed:
        return mark("Some players are programs or play against the clock: another run can give different results.")
    return mark("The same file gives the same results, on one core, on many and on a cluster.")


def budget(tournament: Tournament, player: PlayerSettings, language: Language) -> str:
    if player.program:
        return "–"
    if not any(tournament.plan.thinks(each.game, player) for each in tournament.plan.settings.game):
        return language.say(mark("decides at a glance"))
    given = tournament.plan.budget_of(player)
    if given.seconds is not None:
        return language.say(mark("{number} s"), number=language.say_number(given.seconds))
    return language.say_count("{count} simulated game", "{count} simulated games", given.playouts or 0)


def title(ladder: Ladder, language: Language) -> str:
    players = language.say_count("{count} player", "{count} players", ladder.matches.seats)
    deals = language.say_count("{count} deal", "{count} deals", ladder.deals)
    games = language.say_count("{count} game", "{count} games", len(ladder.played))
    return f"{ladder.matches.spec.title} · {players} · {deals} · {games}"


def table(headings: Sequence[str], rows: Rows, numbers_from: int = 99) -> str:
    """A table; columns from `numbers_from` on hold numbers."""

    def cell(kind: str, column: int, content: str) -> str:
        number = ' class="number"' if column >= numbers_from else ""
        return f"<{kind}{number}>{escape(content)}</{kind}>"

    head = "".join(cell("th", column, heading) for column, heading in enumerate(headings))
    body = "\n".join(
        "<tr>" + "".join(cell("td", column, content) for column, content in enumerate(row)) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"


def percent(share: float, language: Language) -> str:
    return language.say(mark("{number}%"), number=language.say_number(round(100 * share, 1)))


def percents(interval: Interval, language: Language) -> str:
    low, high = (language.say_number(round(100 * share, 1)) for share in interval)
    return language.say(mark("{number}%"), number=f"{low} … {high}")
