package import APNSimWire

extension Matcher {
  /// Writes the test as a scenario has it: a plain value, or an object of operators that must all hold.
  package func write(to writer: inout JSONWriter) {
    if case .equals(let value) = self, value.objectValue == nil { return writer.value(value) }
    writer.beginObject()
    writeOperators(to: &writer)
    writer.endObject()
  }

  private func writeOperators(to writer: inout JSONWriter) {
    switch self {
    case .equals(let value):
      writer.key("equals")
      writer.value(value)
    case .contains(let text): text.write(as: "contains", to: &writer)
    case .startsWith(let text): text.write(as: "startsWith", to: &writer)
    case .matches(let pattern): pattern.source.write(as: "matches", to: &writer)
    case .like(let pattern): pattern.write(as: "like", to: &writer)
    case .exists(let expected):
      writer.member("exists", expected)
    case .greaterThan(let bound):
      writer.key("gt")
      writer.raw("\(bound)".utf8)
    case .lessThan(let bound):
      writer.key("lt")
      writer.raw("\(bound)".utf8)
    case .size(let count):
      writer.member("size", count)
    case .all(let matchers): for matcher in matchers { matcher.writeOperators(to: &writer) }
    case .not(let matcher):
      writer.key("not")
      matcher.write(to: &writer)
    }
  }
}

extension String {
  fileprivate func write(as key: StaticString, to writer: inout JSONWriter) {
    writer.key(key)
    writer.string(self)
  }
}
