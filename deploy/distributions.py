"""The distributions a server is made of, as they are installed here: itself and all it depends on."""

from collections.abc import Iterator
from importlib.metadata import Distribution, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def needed_by(*names: str, extras: frozenset[str] = frozenset()) -> dict[str, Distribution]:
    """Every distribution that has to be installed for these, by name; without these themselves."""
    found = dict[str, Distribution]()
    waiting = [(name, extras) for name in names]
    while waiting:
        name, with_extras = waiting.pop()
        for requirement in requirements_of(distribution(name), with_extras):
            key = canonicalize_name(requirement.name)
            if key not in found:
                found[key] = distribution(key)
                waiting.append((key, frozenset(requirement.extras)))
    return dict(sorted(found.items()))


def requirements_of(found: Distribution, extras: frozenset[str]) -> Iterator[Requirement]:
    """What a distribution needs on this machine."""
    for text in found.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement
