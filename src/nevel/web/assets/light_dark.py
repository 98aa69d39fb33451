"""The same styles for browsers that don't know `light-dark()`, such as Safari before 17.5."""

import re

#: A block without another in it, after what stands before it: a rule, or what an at-rule opens with.
RULE = re.compile(r"([^{}]*)\{([^{}]*)\}|([^{}]*)\{|\}")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FUNCTION = "light-dark("
UNKNOWN = "@supports not (color: light-dark(#000, #fff))"


def with_fallbacks(css: str) -> str:
    """A style sheet, and after it what it says with `light-dark()`, again for browsers that don't know it.

    >>> print(with_fallbacks("b { color: light-dark(#000, #fff); margin: 0 }"))
    b { color: light-dark(#000, #fff); margin: 0 }
    @supports not (color: light-dark(#000, #fff)) {
    b{color: #000}
    @media (prefers-color-scheme: dark){:root:where(:not([data-theme="light"])) b{color: #fff}}
    :root:where([data-theme="dark"]) b{color: #fff}
    }
    """
    rules = list[str]()
    around = list[str]()
    for found in RULE.finditer(COMMENT.sub("", css)):
        selector, body, opening = found[1], found[2], found[3]
        if opening is not None:
            around.append(opening.strip())
        elif selector is None:
            around.pop()
        elif FUNCTION in body:
            inside = draw_rules(selector.strip(), [one for one in body.split(";") if FUNCTION in one])
            rules.append("".join([f"{at}{{" for at in around]) + "\n".join(inside) + "}" * len(around))
    return "\n".join([css, f"{UNKNOWN} {{", *rules, "}"]) if rules else css


def draw_rules(selector: str, declarations: list[str]) -> list[str]:
    """Three rules for one: in the light, in the dark unless light was chosen, and where dark was chosen."""
    light, dark = (";".join(pick(declaration, which).strip() for declaration in declarations) for which in (0, 1))
    asked, chosen = (
        ", ".join(within(root, part.strip()) for part in split(selector))
        for root in (':root:where(:not([data-theme="light"]))', ':root:where([data-theme="dark"])')
    )
    return [
        f"{selector}{{{light}}}",
        f"@media (prefers-color-scheme: dark){{{asked}{{{dark}}}}}",
        f"{chosen}{{{dark}}}",
    ]


def within(root: str, selector: str) -> str:
    """A selector under this root, or of it."""
    return root + selector.removeprefix(":root") if selector.startswith(":root") else f"{root} {selector}"


def pick(declaration: str, which: int) -> str:
    """A declaration with the first or the second of what each `light-dark()` in it offers."""
    while FUNCTION in declaration:
        before, _, rest = declaration.partition(FUNCTION)
        end = closing(rest)
        declaration = before + split(rest[:end])[which].strip() + rest[end + 1 :]
    return declaration


def closing(text: str) -> int:
    """Where the bracket closes that was opened before this text."""
    depth = 1
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return i
    raise ValueError(text)


def split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
