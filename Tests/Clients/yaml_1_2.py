"""YAML as apnsim reads it, which is the core schema of YAML 1.2 but for numbers: those are JSON's."""

import re

import yaml

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
WORDS = {word: value for value, words in {
    None: ("", "~", "null", "Null", "NULL"), True: ("true", "True", "TRUE"), False: ("false", "False", "FALSE"),
}.items() for word in words}


def load(text):
    """The value of a text, by the parser that apnsim has, libyaml; `on`, `no`, `0123` and times are texts, and of a repeated key the last value counts."""
    node = yaml.compose(text, Loader=yaml.CSafeLoader)
    return None if node is None else value(node)


def value(node):
    if isinstance(node, yaml.SequenceNode):
        return [value(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return {key.value if isinstance(key, yaml.ScalarNode) else repr(key): value(item) for key, item in node.value}
    if node.style:
        return node.value
    if node.value in WORDS:
        return WORDS[node.value]
    if NUMBER.fullmatch(node.value):
        return float(node.value) if re.search(r"[.eE]", node.value) else int(node.value)
    return node.value
