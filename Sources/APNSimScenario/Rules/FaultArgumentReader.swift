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
    switch kind.row.parameters {
    case .none, .replyOptions:
      if let value, let isOn = value.flag(kind.rawValue), !isOn {
        value.mismatch("true for \(kind.rawValue)")
      }
      return make([:])
    case .value(let parameter, _): return argument(value, parameter).flatMap { make([parameter.key: $0]) }
    case .fields(let parameters, _): return (value ?? missing()).flatMap { fields($0, parameters) }
    }
  }

  private func make(_ arguments: FaultArguments, of values: [String: Value] = [:]) -> Fault? {
    do throws(FaultMistake) {
      return try kind.row.make(arguments)
    } catch {
      (values[error.key] ?? place).report(error.message)
      return nil
    }
  }

  /// A mapping of the parameters, or the value of the one that has to be there.
  private func fields(_ value: Value, _ parameters: [FaultParameter]) -> Fault? {
    var values: [String: Value] = [:]
    if value.scalar != nil, let needed = parameters.first(where: { $0.isRequired }) {
      values[needed.key] = value
    } else {
      guard let fields = Fields(value, of: "a \(kind.rawValue)", keys: parameters.map(\.key)) else {
        return nil
      }
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
    let subject = parameter.subject.isEmpty ? kind.rawValue : parameter.subject
    switch parameter.kind {
    case .count(let range): return value.integer(subject, range).map { .count($0) }
    case .span: return value.timeSpan(subject).map { .span($0) }
    case .trigger: return trigger(value).map { .trigger($0) }
    case .refusal: return refusal(value).map { .refusal($0) }
    case .reason:
      return FieldKind.reason.plain(value, subject)?.stringValue.flatMap { Reason(name: $0) }.map {
        .reason($0)
      }
    }
  }

  /// At the matched notification, or once so much of the connection has been read.
  private func trigger(_ value: Value) -> Fault.Trigger? {
    guard value.scalar != "now" else { return .now }
    let subject = "a \(kind.rawValue)"
    guard let fields = Fields(value, of: subject, keys: ["afterBytes", "afterFrames"]) else { return nil }
    switch (fields["afterBytes"], fields["afterFrames"]) {
    case (let bytes?, nil): return bytes.integer("afterBytes").map { .afterBytes($0) }
    case (nil, let frames?): return frames.integer("afterFrames").map { .afterFrames($0) }
    case (nil, nil): return .now
    case (_?, let frames?):
      frames.report("\(subject) has \"afterBytes\" or \"afterFrames\", not both")
      return nil
    }
  }

  // MARK: Refusals

  /// The alerts that the gateway was seen to answer with (RFC 5246, section 7.2).
  private static let alerts: [(name: String, number: UInt8)] = [
    ("revoked", 44), ("expired", 45), ("unknown", 46), ("unknownCA", 48), ("handshakeFailure", 40),
  ]
  private static let refusalNames = alerts.map(\.name) + ["close"]
  private static let refusals = "\(refusalNames.joined(separator: ", ")) or { alert: 44 } as the refusal"

  /// `revoked`, `close`, `{ alert: 44 }`.
  private func refusal(_ value: Value) -> Fault.HandshakeRefusal? {
    guard let text = value.scalar else {
      guard let fields = Fields(value, of: "a refusal", keys: ["alert"]) else { return nil }
      return fields.require("alert")?.integer("the TLS alert", 1...255).map { .alert(UInt8(clamping: $0)) }
    }
    if text == "close" { return .close }
    if let alert = Self.alerts.first(where: { $0.name == text })?.number { return .alert(alert) }
    value.mismatch(Self.refusals, suggestion: NearestName.find(text, among: Self.refusalNames))
    return nil
  }
}
