"""Weights that patterns of a Misty window share with their mirror images; used when weights are learnt and read."""

import numpy as np

from nevel.games.misty.bots.worth import LINES, LOOKS, PER_STAGE, SQUARES, STAGES, WEIGHTS


def mirror_images() -> np.ndarray:
    """For every weight those of its three mirror images."""
    swap_sides = np.array([0, 1, 2, 4, 3, 5, 6, 7, 8, 9, 10])
    swap_ends = np.array([0, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10])
    images = np.repeat(np.arange(WEIGHTS)[:, np.newaxis], 3, axis=1)
    a, b, c, d = np.unravel_index(np.arange(SQUARES), (LOOKS,) * 4)
    sides = [swap_sides[x] for x in (b, a, d, c)]
    ends = [swap_ends[x] for x in (c, d, a, b)]
    both = [swap_sides[swap_ends[x]] for x in (d, c, b, a)]
    x, y, z = np.unravel_index(np.arange(LINES), (LOOKS,) * 3)
    for stage in range(STAGES):
        start = stage * PER_STAGE
        for image, looks in enumerate((sides, ends, both)):
            images[start : start + SQUARES, image] = start + np.ravel_multi_index(looks, (LOOKS,) * 4)
        start += SQUARES
        level = ([swap_sides[v] for v in (z, y, x)], [swap_ends[v] for v in (x, y, z)])
        level += ([swap_sides[swap_ends[v]] for v in (z, y, x)],)
        upright = ([swap_sides[v] for v in (x, y, z)], [swap_ends[v] for v in (z, y, x)])
        upright += ([swap_sides[swap_ends[v]] for v in (z, y, x)],)
        for image in range(3):
            images[start : start + LINES, image] = start + np.ravel_multi_index(level[image], (LOOKS,) * 3)
            images[start + LINES : start + 2 * LINES, image] = (
                start + LINES + np.ravel_multi_index(upright[image], (LOOKS,) * 3)
            )
    return images


def first_images() -> np.ndarray:
    """For every weight the first of its mirror images, itself included."""
    images = mirror_images()
    return np.minimum(np.arange(WEIGHTS), images.min(axis=1))


def spread(weights: np.ndarray) -> np.ndarray:
    """All weights from one of each pattern and its mirror images."""
    firsts = first_images()
    return weights[np.searchsorted(np.unique(firsts), firsts)]
