"""A random number generator that gives the same numbers interpreted, compiled and on a GPU.

xoshiro128** with its four 32-bit words in 64-bit integers, so that no mode ever overflows. A game's record carries the
generator's state in `s.chance`; bots and simulations bring a state of their own, `rng`.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import compiled, helper, inlined

RNG_WORDS = 4
MASK = 0xFFFFFFFF


@compiled
def key(rng, a, b, c, d):
    """Seed a generator with a 128-bit key, given as four 32-bit words."""
    rng[0] = a
    rng[1] = b
    rng[2] = c
    rng[3] = d
    if a == 0 and b == 0 and c == 0 and d == 0:
        rng[0] = 1  # all zero is the one state the generator never leaves


@inlined
def rotate(x, bits):
    return ((x << bits) | (x >> (32 - bits))) & MASK


@inlined
def word(rng):
    """The next 32 random bits."""
    result = (rotate((rng[1] * 5) & MASK, 7) * 9) & MASK
    shifted = (rng[1] << 9) & MASK
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= shifted
    rng[3] = rotate(rng[3], 11)
    return result


@helper
def below(rng, n):
    """A fair random number from 0 to n-1 (Lemire's method, without bias)."""
    product = word(rng) * n
    low = product & MASK
    if low < n:
        threshold = (MASK + 1 - n) % n
        while low < threshold:
            product = word(rng) * n
            low = product & MASK
    return product >> 32


@helper
def branch(rng, parent):
    """Seed `rng` with four words drawn from `parent`: seeds made by counting up would give correlated streams."""
    for i in range(RNG_WORDS):
        rng[i] = word(parent)
    if rng[0] == 0 and rng[1] == 0 and rng[2] == 0 and rng[3] == 0:
        rng[0] = 1


@helper
def draw(rng, counts, total):
    """Take one item at random out of `total` items, given as counts per kind; returns its kind."""
    index = below(rng, total)
    kind = 0
    while index >= counts[kind]:
        index -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind
