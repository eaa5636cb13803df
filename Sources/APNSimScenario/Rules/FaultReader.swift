import APNSimCore
import APNSimWire

/// Reads `fault`: a bare name (`swallow`), or a name with what it needs (`{ reset: { afterBytes: 40 } }`).
enum FaultReader {
  /// A name, or a name with what it needs.
  static let kind = ValueKind.either([word, .mapping(noun)])
  /// A name that needs nothing else.
  static let word = ValueKind.named(
    "faultName",
    "A fault, by its name alone.",
    .choice(FaultKind.allCases.filter(\.standsAlone).map(\.name))
  )
  private static let noun = Noun(
    "fault",
    "a fault",
    "A fault with what it needs.",
    rows: FaultKind.allCases.map { kind in
      Noun.Row(
        kind.name,
        kind.standsAlone ? kind.valueKind.orNothing : kind.valueKind,
        kind.meaning
      )
    },
    terms: [.entries(1...1)],
    takesEmpty: false
  )

  /// One of some faults, whatever it needs.
  private static func any(_ kinds: [FaultKind]) -> ValueKind {
    let names = kinds.map(\.name)
    let form = TextForm("fault", "the name of a fault", pattern: "(?:\(names.joined(separator: "|")))")
    return .either([.choice(names), .names(form: form, .json, least: 1)])
  }

  /// The conditions that rules with a fault cannot have, which stand at `match`.
  static func terms(on match: String) -> [Noun.Term] {
    let moments = [FaultMoment.handshake, .opening, .arrival].map { moment in
      (any(FaultKind.allCases.filter { $0.moment == moment }), RuleMatchReader.unknownKeys(at: moment))
    }
    // A fault with a trigger is decided when the connection opens.
    let triggered = FaultKind.allCases.filter { kind in
      if case .value(let parameter, _) = kind.parameters { parameter.kind == .trigger } else { false }
    }
    let trigger = ValueKind.having(FaultKind.triggerNoun.keys, .count)
    let late = [
      (ValueKind.having(triggered.map(\.name), trigger), RuleMatchReader.unknownKeys(at: .opening))
    ]
    let unknown = (moments + late).map { faults, keys in
      Noun.Term.never([.value("fault", faults), .value(match, .having(keys, .json))])
    }
    let elsewhere = [Listener.gateway, .http2, .feedback].map { listener in
      let kinds = FaultKind.allCases.filter { !$0.listeners.contains(listener) }
      return Noun.Term.never([
        .value("fault", any(kinds)), .value(match, .having(["listener"], .word(listener.rawValue))),
      ])
    }
    return unknown + elsewhere
  }

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
    guard let kind = FaultKind.named(name) else {
      place.report(
        "unknown fault \"\(name)\"; known faults: \(Enumeration.and(FaultKind.names))",
        suggestion: NearestName.find(name, among: FaultKind.names)
      )
      return nil
    }
    if case .replyOptions = kind.parameters { return ReplyReader.shutdown(value).map { .reply($0) } }
    return FaultArgumentReader(kind: kind, place: place).read(value).map { .fault($0) }
  }
}
