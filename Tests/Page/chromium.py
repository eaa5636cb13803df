"""The browser: Debian's Chromium, or what CHROMIUM names."""

import os
import shutil

PATH = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def launch(playwright):
    # As root and in containers, Chromium has no sandbox of its own to be in.
    return playwright.chromium.launch(executable_path=PATH, args=["--no-sandbox", "--disable-gpu"])
