"""Compares two OpenAPI documents: what a user of the older one would miss, or be refused, under the newer one.

Whoever calls sends what the older document allows, and reads what it promises. So of what is sent, nothing may be
refused that was taken: a member that is required now, a word of an enumeration that is gone, a narrower bound. Of what
comes back, nothing may be gone or be of another type. New paths, members, words and statuses are no difference.

    python compatibility.py OLD.json NEW.json
"""

import json
import sys

METHODS = {"get", "put", "post", "delete", "patch", "head", "options", "trace"}
# For each keyword: true if the newer bound takes less than the older one.
BOUNDS = {
    "minimum": lambda old, new: old is None or new > old,
    "maximum": lambda old, new: old is None or new < old,
    "minLength": lambda old, new: (old or 0) < new,
    "maxLength": lambda old, new: old is None or new < old,
    "minItems": lambda old, new: (old or 0) < new,
    "maxItems": lambda old, new: old is None or new < old,
    "pattern": lambda old, new: old != new,
}


class Comparison:
    """Collects differences, each as a line: where, and what a user of the older document meets there."""

    def __init__(self, old, new):
        self.old, self.new = old, new
        self.differences = []
        self._compared = set()

    def run(self):
        for path, old in self.old["paths"].items():
            new = self.new["paths"].get(path)
            if new is None:
                self._say(path, "the path is gone")
                continue
            for method in sorted(METHODS & old.keys()):
                place = f"{method.upper()} {path}"
                if method not in new:
                    self._say(place, "the method is gone")
                else:
                    self._operation(place, (old, old[method]), (new, new[method]))
        return self.differences

    def _say(self, place, what):
        line = f"{place}: {what}"
        if line not in self.differences:
            self.differences.append(line)

    def _operation(self, place, before, after):
        """Compares one operation; each comes with its path, which has parameters as well."""
        (_, old), (_, new) = before, after
        before, after = self._parameters(self.old, *before), self._parameters(self.new, *after)
        for key, parameter in before.items():
            where = f"{place} {key[0]} parameter {key[1]}"
            if key not in after:
                self._say(where, "is gone")
                continue
            if after[key].get("required") and not parameter.get("required"):
                self._say(where, "is required now")
            self._sent(where, parameter.get("schema", {}), after[key].get("schema", {}))
        for key, parameter in after.items():
            if key not in before and parameter.get("required"):
                self._say(f"{place} {key[0]} parameter {key[1]}", "is new and required")
        self._bodies(place, old, new)
        for status, answer in old.get("responses", {}).items():
            where = f"{place} {status}"
            found = new.get("responses", {}).get(status)
            if found is None:
                self._say(where, "the status is gone")
                continue
            self._contents(where, self._of(self.old, answer), self._of(self.new, found), self._got)

    def _bodies(self, place, old, new):
        before = self._of(self.old, old.get("requestBody", {}))
        after = self._of(self.new, new.get("requestBody", {}))
        if after.get("required") and not before.get("required"):
            self._say(f"{place} body", "is required now")
        self._contents(f"{place} body", before, after, self._sent)

    def _contents(self, place, old, new, compare):
        for kind, content in old.get("content", {}).items():
            if kind not in new.get("content", {}):
                self._say(place, f"has no {kind}")
            else:
                compare(place, content.get("schema", {}), new["content"][kind].get("schema", {}))

    def _parameters(self, document, path, operation):
        every = [self._of(document, one) for one in path.get("parameters", []) + operation.get("parameters", [])]
        return {(one["in"], one["name"]): one for one in every}

    @staticmethod
    def _of(document, value):
        """The value, or what its reference names."""
        while isinstance(value, dict) and "$ref" in value:
            found = document
            for name in value["$ref"].removeprefix("#/").split("/"):
                found = found[name.replace("~1", "/").replace("~0", "~")]
            value = found | {key: member for key, member in value.items() if key not in ("$ref", "description", "summary")}
        return value

    def _schemas(self, old, new, direction):
        """Both with references resolved and `allOf` merged; None where they have been compared before."""
        names = (direction, json.dumps(old, sort_keys=True), json.dumps(new, sort_keys=True))
        if names in self._compared:
            return None
        self._compared.add(names)
        return self._whole(self.old, old), self._whole(self.new, new)

    def _whole(self, document, schema):
        schema = dict(self._of(document, schema)) if isinstance(schema, dict) else schema
        if not isinstance(schema, dict):
            return {}
        for part in schema.pop("allOf", []):
            part = self._whole(document, part)
            for key, value in part.items():
                if key == "properties":
                    schema[key] = value | schema.get(key, {})
                elif key == "required":
                    schema[key] = sorted({*value, *schema.get(key, [])})
                else:
                    schema.setdefault(key, value)
        return schema

    @staticmethod
    def _types(schema):
        kinds = schema.get("type")
        if kinds is None:
            return None
        kinds = {kinds} if isinstance(kinds, str) else set(kinds)
        return kinds | ({"integer"} if "number" in kinds else set())

    @staticmethod
    def _words(schema):
        if "const" in schema:
            return [schema["const"]]
        return schema.get("enum")

    def _sent(self, place, old, new):
        """What callers send: everything that was taken is taken."""
        both = self._schemas(old, new, "sent")
        if both is None:
            return
        old, new = both
        before, after = self._types(old), self._types(new)
        if after is not None and (before is None or not before <= after) and not self._alternatives(new):
            self._say(place, f"takes {sorted(after)} only, before {sorted(before) if before else 'anything'}")
        words, known = self._words(old), self._words(new)
        if known is not None and (words is None or any(word not in known for word in words)):
            gone = "any" if words is None else [word for word in words if word not in known]
            self._say(place, f"does not take {gone} any more")
        for keyword, is_narrower in BOUNDS.items():
            if keyword in new and is_narrower(old.get(keyword), new[keyword]):
                self._say(place, f"{keyword} is {new[keyword]}, before {old.get(keyword, 'none')}")
        for name in set(new.get("required", [])) - set(old.get("required", [])):
            self._say(f"{place}.{name}", "is required now")
        for name, member in old.get("properties", {}).items():
            if name in new.get("properties", {}):
                self._sent(f"{place}.{name}", member, new["properties"][name])
            elif new.get("additionalProperties") is False:
                self._say(f"{place}.{name}", "is not taken any more")
        if old.get("additionalProperties") is not False and new.get("additionalProperties") is False:
            self._say(place, "takes no other members any more")
        self._inner(place, old, new, self._sent)
        for index, one in enumerate(self._alternatives(old)):
            others = self._alternatives(new) or [new]
            self._any(f"{place} (alternative {index + 1})", [("_sent", one, other) for other in others])

    def _got(self, place, old, new):
        """What callers read: everything that was there is there, of the same type."""
        both = self._schemas(old, new, "got")
        if both is None:
            return
        old, new = both
        before, after = self._types(old), self._types(new)
        if before is not None and (after is None or not after <= before):
            self._say(place, f"is {sorted(after) if after else 'anything'}, before {sorted(before)} only")
        for name in set(old.get("required", [])) - set(new.get("required", [])):
            self._say(f"{place}.{name}", "is not always there any more")
        for name, member in old.get("properties", {}).items():
            if name not in new.get("properties", {}):
                self._say(f"{place}.{name}", "is gone")
            else:
                self._got(f"{place}.{name}", member, new["properties"][name])
        self._inner(place, old, new, self._got)
        for index, one in enumerate(self._alternatives(new) if self._alternatives(old) else []):
            others = self._alternatives(old)
            self._any(f"{place} (alternative {index + 1})", [("_got", other, one) for other in others])

    def _inner(self, place, old, new, compare):
        """Items of lists, and members by pattern or of any name."""
        if "items" in old and "items" in new:
            compare(f"{place}[]", old["items"], new["items"])
        others = old.get("additionalProperties"), new.get("additionalProperties")
        if isinstance(others[0], dict) and isinstance(others[1], dict):
            compare(f"{place}.*", *others)
        elif isinstance(others[0], dict) and others[1] is False:
            self._say(f"{place}.*", "is gone")
        for pattern, member in old.get("patternProperties", {}).items():
            if pattern not in new.get("patternProperties", {}):
                self._say(f"{place}./{pattern}/", "is gone")
            else:
                compare(f"{place}./{pattern}/", member, new["patternProperties"][pattern])

    @staticmethod
    def _alternatives(schema):
        return schema.get("oneOf", []) or schema.get("anyOf", [])

    def _any(self, place, pairs):
        """One pair of alternatives fits; the differences of the nearest pair are said where none does."""
        trials = []
        for compare, old, new in pairs:
            trial = Comparison(self.old, self.new)
            trial._compared = set(self._compared)
            getattr(trial, compare)(place, old, new)
            trials.append(trial.differences)
        for line in min(trials, key=len):
            if line not in self.differences:
                self.differences.append(line)


def differences(old, new):
    """What a user of the document `old` would miss in `new`."""
    return Comparison(old, new).run()


if __name__ == "__main__":
    found = differences(*(json.load(open(path)) for path in sys.argv[1:3]))
    print("\n".join(found) or "nothing is gone, and nothing more is required")
    sys.exit(1 if found else 0)
