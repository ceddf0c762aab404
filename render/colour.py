"""Sums with colours: mixing, contrast of words, how far apart two look, also to the colour-blind."""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

RGB = tuple[int, int, int]


def rgb(colour: str) -> RGB:
    """The three bytes of "#RRGGBB"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: str, other: str, part: float) -> str:
    """`one` with `part` (0..1) of `other` in it."""
    return "#" + "".join(
        f"{round(a + (b - a) * part):02X}" for a, b in zip(rgb(one), rgb(other), strict=True)
    )


def luminance(colour: str) -> float:
    """Relative luminance, 0..1 (WCAG 2)."""
    red, green, blue = (linear(c) for c in rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio, 1..21 (WCAG 2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def linear(byte: int) -> float:
    """A byte of sRGB as linear light, 0..1."""
    part = byte / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def encoded(light: float) -> int:
    """Linear light as a byte of sRGB."""
    light = min(1.0, max(0.0, light))
    part = light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(part * 255)


# Machado, Oliveira and Fernandes 2009, severity 1.0: linear RGB to linear RGB
SIGHT = {
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def seen_as(colour: str, sight: str) -> str:
    """The colour as somebody with this sight (`protan`, `deutan`, `tritan`) sees it."""
    light = [linear(c) for c in rgb(colour)]
    rows = SIGHT[sight]
    return "#" + "".join(
        f"{encoded(sum(w * c for w, c in zip(row, light, strict=True))):02X}" for row in rows
    )


def lab(colour: str) -> tuple[float, float, float]:
    """CIE L*a*b* under D65."""
    red, green, blue = (linear(c) for c in rgb(colour))
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883

    def root(t: float) -> float:
        return float(t ** (1 / 3)) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    fx, fy, fz = root(x), root(y), root(z)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: str, other: str) -> float:
    """CIEDE2000 between two colours; about 1 is the least that is seen side by side."""
    return ciede2000(lab(one), lab(other))


def ciede2000(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """CIEDE2000 (Sharma, Wu and Dalal 2005) of two L*a*b* colours."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma7 = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * sqrt(chroma7 / (chroma7 + 25**7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = (degrees(atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))

    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    if h2 - h1 == 180:
        turn = 180.0
    lightness, chroma = l2 - l1, c2 - c1
    hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))

    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = h1 + h2
    if c1 * c2 != 0:
        mean_h = (h1 + h2) / 2
        if abs(h1 - h2) > 180:
            mean_h += 180 if h1 + h2 < 360 else -180
    weight = (
        1
        - 0.17 * cos(radians(mean_h - 30))
        + 0.24 * cos(radians(2 * mean_h))
        + 0.32 * cos(radians(3 * mean_h + 6))
        - 0.20 * cos(radians(4 * mean_h - 63))
    )
    sl = 1 + 0.015 * (mean_l - 50) ** 2 / sqrt(20 + (mean_l - 50) ** 2)
    sc = 1 + 0.045 * mean_c
    sh = 1 + 0.015 * mean_c * weight
    rotation = (
        -2 * sqrt(mean_c**7 / (mean_c**7 + 25**7)) * sin(radians(60 * exp(-(((mean_h - 275) / 25) ** 2))))
    )
    return sqrt(
        (lightness / sl) ** 2 + (chroma / sc) ** 2 + (hue / sh) ** 2 + rotation * (chroma / sc) * (hue / sh)
    )
