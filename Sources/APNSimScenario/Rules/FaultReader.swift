import APNSimCore

/// Reads `fault`: a bare name (`swallow`), or a name with what it needs (`{ reset: { afterBytes: 40 } }`).
enum FaultReader {
  static func read(_ value: Value) -> Rule.Action? {
    if let name = value.scalar { return read(name, nameAt: value, nil) }
    let expected = "a fault, such as swallow or { reset: { afterBytes: 40 } }"
    let entries = value.entries(expected)
    guard let entry = entries.first else {
      if case .mapping = value.node { value.report("expected \(expected), found none") }
      if value.isNull { value.mismatch(expected) }
      return nil
    }
    if let second = entries.dropFirst().first {
      second.key.report("a rule has one fault: add another rule for \"\(second.name)\"")
      return nil
    }
    return read(entry.name, nameAt: entry.key, entry.value.isNull ? nil : entry.value)
  }

  private static func read(_ name: String, nameAt place: Value, _ value: Value?) -> Rule.Action? {
    guard let kind = FaultKind(rawValue: name) else {
      place.report(
        "unknown fault \"\(name)\"; known faults: \(Enumeration.and(FaultKind.names))",
        suggestion: NearestName.find(name, among: FaultKind.names)
      )
      return nil
    }
    if case .replyOptions = kind.row.parameters { return ReplyReader.shutdown(value).map { .reply($0) } }
    return FaultArgumentReader(kind: kind, place: place).read(value).map { .fault($0) }
  }
}
