"""The browser: Debian's Chromium, without what only a window needs where that is there, or what CHROMIUM names."""

import os
import shutil
from pathlib import Path

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser"]
PATH = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
# The number of letters in a column is a matter of the font.
FONTS = {"FONTCONFIG_FILE": str(Path(__file__).with_name("fonts.conf"))}


def launch(playwright):
    # As root and in containers, Chromium has no sandbox of its own to be in.
    return playwright.chromium.launch(
        executable_path=PATH, args=["--no-sandbox", "--disable-gpu"], env=os.environ | FONTS)
