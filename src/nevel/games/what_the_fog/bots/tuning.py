"""Made by `python -m tuning.what_the_fog`: edit nothing here."""

import numpy as np

#: By seats and rounds played: how many points of difference make a player e times as likely to win.
TEMPERATURES = np.array(
    [
        [1.0, 1.0, 1.0, 1.0],
        [1.0, 1.0, 1.0, 1.0],
        [1.0, 5.8, 5.3, 4.3],
        [1.0, 4.0, 3.6, 2.9],
        [1.0, 3.4, 2.9, 2.2],
        [1.0, 3.0, 2.6, 2.0],
    ]
)
