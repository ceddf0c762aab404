"""What a language does to what a parameter brings: `{province:az~term}`, `{province:term~ban}`.

Languages without such a rule leave the text as it is; an unknown particle is a fault of the catalogue, which
tests find.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from locales import english, hebrew, hungarian

Particle = Callable[[str, str], str]  # (text, particle as written) -> text with it

BEFORE: Mapping[str, Mapping[str, Particle]] = {
    "en": {**dict.fromkeys(("a", "A"), english.article), "^": english.capitalised},
    "hu": dict.fromkeys(hungarian.ARTICLES, hungarian.article),
    "he": dict.fromkeys(hebrew.PREFIXES, lambda text, prefix: hebrew.prefixed(prefix, text)),
}
BEHIND: Mapping[str, Mapping[str, Particle]] = {
    "hu": dict.fromkeys(hungarian.SUFFIXES, hungarian.suffixed),
}


def parted(spec: str) -> tuple[str, str, str]:
    """(particle before, format, particle behind) of a format: `az~term` -> `("az", "term", "")`."""
    pieces = spec.split("~")
    if len(pieces) == 3:
        return pieces[0], pieces[1], pieces[2]
    if len(pieces) == 2:
        known = any(pieces[0] in particles for particles in BEFORE.values())
        return (pieces[0], pieces[1], "") if known else ("", pieces[0], pieces[1])
    return "", spec, ""


def joined(language: str, before: str, text: str, behind: str) -> str:
    """The text with its particles, as the language writes them."""
    if behind and (rule := BEHIND.get(language, {}).get(behind)):
        text = rule(text, behind)
    if before and (rule := BEFORE.get(language, {}).get(before)):
        text = rule(text, before)
    return text
