"""Studying What the Fog?!: where hidden cards may be, decisions as puzzles, forecasts."""

import numpy as np

from nevel.engine import dispatch
from nevel.engine.knowledge import Knowledge
from nevel.games.what_the_fog import rules
from nevel.games.what_the_fog.bots.evidence import evidence_pages
from nevel.games.what_the_fog.bots.likelihoods import DECK, count_hands
from nevel.games.what_the_fog.box import WEATHERS
from nevel.games.what_the_fog.forecasts import TRUST, predictions_of
from nevel.games.what_the_fog.rules.table import OVER
from nevel.languages import mark
from nevel.study.mist import WORLDS, Hidden, Place, fixed_rng, imagined, learnt_shares, others, plain_shares
from nevel.study.parts import StudyParts
from nevel.study.puzzle_kind import ChoiceKind


def hidden_cards(knowledge: Knowledge) -> Hidden:
    """Worlds are counted in which everybody's moves make sense."""
    s, hands = knowledge.state, others(knowledge)
    places = [Place("hand", other, int(s.held[other])) for other in hands]
    world = imagined(knowledge)
    hidden = world.hand[hands].sum(axis=0) + world.deck
    if s.phase == OVER:  # what was given up face down stays hidden
        places += [Place("given-up", other, int(world.away[other] > 0)) for other in hands]
        for other in hands:
            hidden[world.away[other] - 1] += world.away[other] > 0
    places.append(Place("deck", None, int(s.deck_size)))
    shares = plain_shares([place.size for place in places], hidden)
    if s.phase != OVER:
        counts = np.zeros((DECK + 1, len(WEATHERS), shares.shape[2]))
        scratch = dispatch.new_states(rules, 1)
        count_hands(scratch, knowledge, WORLDS, fixed_rng(), TRUST, evidence_pages(), counts)
        shares = learnt_shares(shares, counts[[*hands, DECK]])
    return list(WEATHERS), places, shares


class PlaceToken(ChoiceKind):
    """Where a lifted token goes."""

    name = "fog-place"
    game = "what-the-fog"
    title = mark("Tokens")
    task = mark("On which day does the token help you most?")
    icon = "token"
    turn = 3


class Predict(ChoiceKind):
    """Whether to raise a prediction."""

    name = "fog-predict"
    game = "what-the-fog"
    title = mark("Predictions")
    task = mark("Raise your prediction or pass: which gives you the better chance to win?")
    icon = "barometer"
    turn = 4


STUDY = StudyParts(hidden_cards, puzzles=(PlaceToken(), Predict()), predictions=predictions_of)
