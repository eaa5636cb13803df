import APNSimCore
import APNSimWire

/// Reads a fault's arguments as its row in the catalogue describes them, and makes the fault.
struct FaultArgumentReader {
  let kind: FaultKind
  /// The fault's name, for errors about what is missing.
  let place: Value

  /// - Parameter value: the value after the name; nil where there is none.
  /// - Returns: nil after reporting what is wrong.
  func read(_ value: Value?) -> Fault? {
    switch kind.parameters {
    case .none, .replyOptions:
      if let value, let isOn = value.flag(kind.name), !isOn {
        value.mismatch("true for \(kind.name)")
      }
      return make([:])
    case .value(let parameter, _): return argument(value, parameter).flatMap { make([parameter.key: $0]) }
    case .fields(let parameters, _):
      if let value { return fields(value, parameters) }
      // Where each may be left out, so may all.
      guard !parameters.contains(where: \.isRequired) else { return missing().flatMap { _ in nil } }
      return make(FaultArguments(parameters.map { ($0.key, $0.standard) }))
    }
  }

  private func make(_ arguments: FaultArguments, of values: [String: Value] = [:]) -> Fault? {
    do throws(FaultMistake) {
      return try kind.make(arguments)
    } catch {
      (values[error.key] ?? place).report(error.message)
      return nil
    }
  }

  /// A mapping of the parameters, or the value of the one that has to be there.
  private func fields(_ value: Value, _ parameters: [FaultParameter]) -> Fault? {
    var values: [String: Value] = [:]
    if value.scalar != nil, let needed = FaultKind.short(parameters) {
      values[needed.key] = value
    } else {
      guard let fields = Fields(value, of: kind.noun(parameters)) else { return nil }
      for parameter in parameters {
        values[parameter.key] = parameter.isRequired ? fields.require(parameter.key) : fields[parameter.key]
      }
    }
    var arguments: FaultArguments = [:]
    var isComplete = true
    for parameter in parameters {
      let value = values[parameter.key]
      let argument = value.map { self.value($0, parameter) } ?? parameter.standard
      if argument == nil, value != nil || !parameter.isOptional { isComplete = false }
      arguments[parameter.key] = argument
    }
    return isComplete ? make(arguments, of: values) : nil
  }

  private func argument(_ value: Value?, _ parameter: FaultParameter) -> FaultArgument? {
    if let value { return self.value(value, parameter) }
    if let standard = parameter.standard { return standard }
    if case .refusal = parameter.kind {
      place.report("expected \(Self.refusals), found nothing")
    } else {
      _ = missing()
    }
    return nil
  }

  private func missing() -> Value? {
    place.report("this fault needs a value, such as { \(kind.example) }")
    return nil
  }

  private func value(_ value: Value, _ parameter: FaultParameter) -> FaultArgument? {
    let subject = parameter.subject.isEmpty ? kind.name : parameter.subject
    switch parameter.kind {
    case .count(let range): return value.integer(subject, range).map { .count($0) }
    case .span: return value.timeSpan(subject).map { .span($0) }
    case .trigger: return trigger(value).map { .trigger($0) }
    case .refusal: return refusal(value).map { .refusal($0) }
    case .reason:
      return FieldKind.reason.plain(value, subject)?.stringValue.flatMap { Reason(name: $0) }.map {
        .reason($0)
      }
    case .flag: return value.flag(subject).map { .flag($0) }
    case .choice(let names): return choice(value, subject, of: names).map { .choice($0) }
    case .code: return code(value, subject).map { .code($0) }
    case .lastStream: return lastStream(value, subject).map { .lastStream($0) }
    case .text: return value.text("a text for \(subject)").map { .text($0) }
    }
  }

  private func choice(_ value: Value, _ subject: String, of names: [String]) -> String? {
    if let text = value.scalar, names.contains(text) { return text }
    value.mismatch(
      "\(Enumeration.of(names)) for \(subject)",
      suggestion: value.scalar.flatMap { NearestName.find($0, among: names) }
    )
    return nil
  }

  /// `REFUSED_STREAM`, or a number.
  private func code(_ value: Value, _ subject: String) -> HTTP2Code? {
    if let text = value.scalar, let code = HTTP2Code(name: text) { return code }
    if let text = value.scalar, let number = UInt32(text) { return HTTP2Code(rawValue: number) }
    value.mismatch(
      "a name of RFC 9113 section 7, such as REFUSED_STREAM, or a number for \(subject)",
      suggestion: value.scalar.flatMap { NearestName.find($0, among: HTTP2Code.names) }
    )
    return nil
  }

  /// `exact`, `below`, `zero`, or a stream.
  private func lastStream(_ value: Value, _ subject: String) -> Fault.GoAway.LastStream? {
    switch value.scalar {
    case "exact": return .exact
    case "below": return .below
    case "zero": return .zero
    case let text?:
      if let number = UInt32(text), number <= UInt32(Int32.max) { return .number(number) }
    case nil: break
    }
    value.mismatch("exact, below, zero or a stream up to 2147483647 for \(subject)")
    return nil
  }

  /// At the matched notification, or once so much of the connection has been read.
  private func trigger(_ value: Value) -> Fault.Trigger? {
    guard value.scalar != "now" else { return .now }
    let subject = "a \(kind.name)"
    let noun = FaultKind.triggerNoun
    guard let fields = Fields(value, of: noun, as: subject) else { return nil }
    let given = noun.keys.compactMap { key in fields[key].map { (key: key, value: $0) } }
    guard let first = given.first else { return .now }
    if let second = given.dropFirst().first {
      second.value.report("\(subject) has \"\(first.key)\" or \"\(second.key)\", not both")
      return nil
    }
    guard let count = fields.integer(first.key) else { return nil }
    switch first.key {
    case "afterBytes": return .afterBytes(count)
    case "afterFrames": return .afterFrames(count)
    default: return .afterRequests(count)
    }
  }

  // MARK: Refusals

  /// The alerts that the gateway was seen to answer with (RFC 5246, section 7.2).
  static let alerts: [(name: String, number: UInt8)] = [
    ("revoked", 44), ("expired", 45), ("unknown", 46), ("unknownCA", 48), ("handshakeFailure", 40),
  ]
  static let refusalNames = alerts.map(\.name) + ["close"]
  private static let refusals = "\(refusalNames.joined(separator: ", ")) or { alert: 44 } as the refusal"

  /// `revoked`, `close`, `{ alert: 44 }`.
  private func refusal(_ value: Value) -> Fault.HandshakeRefusal? {
    guard let text = value.scalar else {
      guard let fields = Fields(value, of: FaultKind.refusalNoun) else { return nil }
      _ = fields.require("alert")
      return fields.integer("alert", "the TLS alert").map { .alert(UInt8(clamping: $0)) }
    }
    if text == "close" { return .close }
    if let alert = Self.alerts.first(where: { $0.name == text })?.number { return .alert(alert) }
    value.mismatch(Self.refusals, suggestion: NearestName.find(text, among: Self.refusalNames))
    return nil
  }
}
