"""Names that look alike: the invisible characters in them, and letters with one look."""

from __future__ import annotations

import re
import unicodedata

from assistant.core.clean_text import fewer_marks

# Fillers and blanks that Unicode counts as letters, marks or symbols.
_BLANKS_PATTERN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]"
)
# Letters of other alphabets, in small letters, that are read as Latin ones, and the Latin ones.
_FOREIGN_LETTERS = "авԁеғԍһіїјкӏмнорԛсѕтѵԝхуүпгαβεηικνορτυχγωμςσօսհոցքıɩɑɡøłđħꜱɴᴄᴏᴛꜰɪʟᴘᴀᴇʀꞵƒŧ"
_LATIN_LETTERS = "abdefghiijklmhopqcstvwxyynrabenikvoptuxywmcoouhngfiiagoldhsncotfilpaerbft"
_AS_LATIN = str.maketrans(_FOREIGN_LETTERS, _LATIN_LETTERS)
_ONE_LOOK = str.maketrans("l1|0", "iiio")


def without_invisible(name: str) -> str:
    """Remove the characters that nobody sees: format characters, fillers and variation signs."""
    if name.isascii():
        return name
    visible = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    return _BLANKS_PATTERN.sub("", visible)


def as_latin(name: str) -> str:
    """Return a name in small Latin letters as a reader takes it, without accents."""
    visible_name = without_invisible(name)
    composed_name = unicodedata.normalize("NFKC", fewer_marks(visible_name))
    latin_name = composed_name.casefold().translate(_AS_LATIN)
    decomposed_name = unicodedata.normalize("NFKD", latin_name)
    without_accents = "".join(
        letter for letter in decomposed_name if not unicodedata.combining(letter)
    )
    # Letters that had an accent are only now in the table of look-alikes.
    return without_accents.translate(_AS_LATIN)


def look_key(name: str) -> str:
    """Return the letters and digits that all names with the look of a name share."""
    one_look = as_latin(name).translate(_ONE_LOOK).replace("rn", "m").replace("vv", "w")
    return "".join(letter for letter in one_look if letter.isalnum())
