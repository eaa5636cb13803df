"""Finds the simple commands in a line of shell, also those inside $(…)."""


def commands(text):
    """The words of each simple command; quotes are taken off, redirections and comments left out."""
    found, _ = scan(text, 0, None)
    return found


def scan(text, at, closing):
    """Reads up to an unquoted `closing` or the end: the commands found, and the place after it."""
    found, words, word, skip = [], [], None, False

    def end_word():
        nonlocal word, skip
        if word is not None:
            if not skip:
                words.append(word)
            skip = False
        word = None

    def end_command():
        nonlocal words
        end_word()
        if words:
            found.append(words)
        words = []

    while at < len(text):
        character = text[at]
        if character == "\\":
            if text[at + 1:at + 2] != "\n":
                word = (word or "") + text[at + 1:at + 2]
            at += 2
        elif text.startswith("$(", at):
            inner, at = scan(text, at + 2, ")")
            found += inner
            word = (word or "") + "$(…)"
        elif character == "'":
            end = text.find("'", at + 1)
            end = len(text) if end < 0 else end
            word, at = (word or "") + text[at + 1:end], end + 1
        elif character == '"':
            word, at = word or "", at + 1
            while at < len(text) and text[at] != '"':
                if text.startswith("$(", at):
                    inner, at = scan(text, at + 2, ")")
                    found += inner
                    word += "$(…)"
                else:
                    at += text[at] == "\\"
                    word += text[at:at + 1]
                    at += 1
            at += 1
        elif character == closing:
            end_command()
            return found, at + 1
        elif character in "|&;\n()":
            end_command()
            at += 1
        elif character in "<>":
            word = None if word is not None and word.isdigit() else word
            end_word()
            skip, at = True, at + 1
            while text[at:at + 1] in (">", "&"):
                at += 1
        elif character.isspace():
            end_word()
            at += 1
        elif character == "#" and word is None:
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        else:
            word, at = (word or "") + character, at + 1
    end_command()
    return found, at


def invocations(words, program="apnsim"):
    """The arguments of each run of the program in a simple command: at its beginning, or after `--`."""
    begins = True
    for at, word in enumerate(words):
        assigns = begins and "=" in word and not word.startswith("-")
        if begins and not assigns and (word == program or word.endswith(f"/{program}")):
            yield words[at + 1:]
        begins = assigns or word == "--"
