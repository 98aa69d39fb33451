"""Chance: one stream of random numbers, the same interpreted, compiled and on a GPU.

xoshiro128** on four 32-bit lanes held in 64-bit integers, so that no mode ever overflows. A state carries its lanes in
`s.chance`; whoever plays a game out for itself (a bot, a simulation) brings lanes of its own.
"""

from nevel.engine.compiling import compiled, helper, inlined

LANES = 4
MASK = 0xFFFFFFFF


@compiled
def key(lanes, a, b, c, d):
    """Set the lanes to a 128-bit key given as four 32-bit words."""
    lanes[0] = a
    lanes[1] = b
    lanes[2] = c
    lanes[3] = d
    if a == 0 and b == 0 and c == 0 and d == 0:
        lanes[0] = 1  # all zero is the one state the generator never leaves


@inlined
def rotate(x, bits):
    return ((x << bits) | (x >> (32 - bits))) & MASK


@inlined
def word(lanes):
    """The next 32 random bits."""
    result = (rotate((lanes[1] * 5) & MASK, 7) * 9) & MASK
    shifted = (lanes[1] << 9) & MASK
    lanes[2] ^= lanes[0]
    lanes[3] ^= lanes[1]
    lanes[1] ^= lanes[2]
    lanes[0] ^= lanes[3]
    lanes[2] ^= shifted
    lanes[3] = rotate(lanes[3], 11)
    return result


@helper
def below(lanes, n):
    """A fair random number from 0 to n-1 (Lemire's method, without bias)."""
    product = word(lanes) * n
    low = product & MASK
    if low < n:
        threshold = (MASK + 1 - n) % n
        while low < threshold:
            product = word(lanes) * n
            low = product & MASK
    return product >> 32


@helper
def branch(lanes, parent):
    """Key `lanes` with four words drawn from `parent`: streams made by counting up would be correlated."""
    for i in range(LANES):
        lanes[i] = word(parent)
    if lanes[0] == 0 and lanes[1] == 0 and lanes[2] == 0 and lanes[3] == 0:
        lanes[0] = 1


@helper
def draw(lanes, counts, total):
    """Take one item at random out of `total` items kept as counts per kind; gives its kind."""
    index = below(lanes, total)
    kind = 0
    while index >= counts[kind]:
        index -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind
