"""Every link leads somewhere, in the Markdown and in the site."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from conftest import ROOT, generator


def test_every_link_in_the_markdown_resolves(documents):
    wrong = []
    for path, document in documents.items():
        for href, line in document.links():
            target = generator.local_target(path, href)
            if target is None:
                continue
            file, anchor = target
            if not (ROOT / file).exists():
                wrong.append(f"{path}:{line}: {href}: no such file")
            elif anchor and (file not in documents or anchor not in documents[file].anchors):
                wrong.append(f"{path}:{line}: {href}: no heading #{anchor}")
    assert not wrong, "\n".join(wrong)


class Reader(HTMLParser):
    """What a page of the site refers to, and what can be referred to in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.ids, self.tags = [], [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif reference := attributes.get("src") or attributes.get("href"):
            self.loaded.append(reference)
        if "id" in attributes:
            self.ids.append(attributes["id"])


def test_every_link_of_the_site_resolves_and_nothing_is_loaded_from_elsewhere(site):
    pages = {page.resolve(): Reader(page.read_text()) for page in site.rglob("*.html")}
    wrong = []
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        wrong += [f"{name}: <{tag}>" for tag in page.tags & {"script", "iframe", "object", "form", "style"}]
        wrong += [f"{name}: #{one} twice" for one in set(page.ids) if page.ids.count(one) > 1]
        for reference in page.links + page.loaded:
            address = urlsplit(reference)
            if address.scheme or address.netloc:
                if reference in page.loaded:
                    wrong.append(f"{name}: loads {reference}")
                continue
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            if not target.is_file():
                wrong.append(f"{name}: {reference}: no such file")
            elif address.fragment and (target not in pages or unquote(address.fragment) not in pages[target].ids):
                wrong.append(f"{name}: {reference}: no such anchor")
    assert not wrong, "\n".join(wrong)
    assert "url(" not in (site / "style.css").read_text()


def test_every_file_of_docs_is_in_the_navigation(site, documents):
    import json
    navigation = json.loads((ROOT / "docs/site/navigation.json").read_text())
    listed = {page.get("source") for group in navigation for page in group["pages"]}
    assert {path for path in documents if path.startswith("docs/")} <= listed


def test_the_readme_is_read_in_two_minutes():
    assert (ROOT / "README.md").stat().st_size <= 8 * 1024
