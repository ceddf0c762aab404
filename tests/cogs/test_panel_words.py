"""What a select says of how many to pick (15.2)."""

import pytest

from cogs.panels.guided import asked_for
from engines.protocol import Prompt
from locales import LANGUAGES, words


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (1, 1, "Choose…"),
        (2, 2, "Choose 2…"),
        (0, 1, "Choose…"),
        (0, 3, "Choose up to 3…"),
        (2, 4, "Choose 2 to 4…"),
    ],
)
def test_exactly_two_is_not_two_to_two(least, most, said):
    step = Prompt(code="any", least=least, most=most, choices=())
    assert words("en")(asked_for(step), n=most, least=least, most=most) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_the_number_that_is_wanted(language):
    for least, most in ((2, 2), (0, 3)):
        step = Prompt(code="any", least=least, most=most, choices=())
        told = words(language)(asked_for(step), n=most, least=least, most=most)
        assert str(most) in told
        assert str(least) not in told.replace(str(most), "")
