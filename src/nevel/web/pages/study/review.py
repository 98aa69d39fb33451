"""A finished game looked back on: everybody's chances, who moved them, and what each choice was worth."""

from functools import partial

from nevel.game.event import Teller
from nevel.languages import mark
from nevel.tables.domain.refusals import MalformedError
from nevel.tables.views.view import Scene
from nevel.web.pages.page import Shown, page
from nevel.web.pages.study.looking_back import LookingBack
from nevel.web.pages.study.replay import Moment, replay_address
from nevel.web.pages.table import query_text
from nevel.web.rendering.fragment import Values
from nevel.web.rendering.notices import Peculiarities, box_address
from nevel.web.rendering.surroundings import names_of
from nevel.web.server.endpoint import Visit
from nevel.web.services.reviews import REVIEW_COST, ReviewProgress, finished


async def view(visit: Visit, query: Moment, _form: None) -> Shown:
    room, access = await visit.enter(query.key, query.chair)
    table = room.table
    game = finished(table)
    if query.seat is not None and query.seat >= game.seats:
        raise MalformedError(mark("There is no chair {chair} at this table."), chair=query.seat + 1)
    own = access.viewer.chair
    seat = query.seat if query.seat is not None else own or 0
    found = await visit.site.reviews.ask(table, visit.payer, partial(visit.check_opening, REVIEW_COST))
    values: Values = {
        "table": table.name,
        "game": game.name,
        "title": game.spec.title,
        "query": query_text(query),
        "progress": None,
        "notice": Peculiarities.of(table).tell(visit.language),
        "box_address": box_address(table.opened.game, table.opened.box),
    }
    if isinstance(found, ReviewProgress):
        return Shown("review.html", {**values, "progress": {"share": found.share, "ahead": found.ahead}}, 202)
    scene = Scene(table, visit.site.galleries.people_status(table)).look(access.viewer)
    teller = Teller(visit.language, names_of(scene, visit.language))
    told = LookingBack(found, game, teller)
    outcome = game.outcome
    assert outcome is not None
    prefix = f"/tables/{table.name}/review{query_text(query)}"
    values |= {
        "whose": seat,
        "own": own,
        "name": teller.name(seat),
        "seats": [
            {
                "seat": number,
                "name": teller.name(number),
                "accuracy": None if account.accuracy is None else round(account.accuracy),
                "is_winner": number in outcome.winners,
                "address": f"{prefix}{'&' if '?' in prefix else '?'}seat={number}",
            }
            for number, account in enumerate(found.accounts)
        ],
        "outcome": game.vocabulary.tell_outcome(outcome, teller),
        "playouts": found.playouts,
        "chart": told.chart(seat),
        "moments": told.chances(),
        "ledger": told.ledger(seat, seat == own),
        "key_moments": told.key_moments(seat),
        "decisions": told.decisions_of(seat),
        "address": replay_address(table.name, Moment(query.key, query.chair, seat=seat)),
    }
    return Shown("review.html", values)


PAGES = (page("/tables/{table}/review", view, Moment),)
