package import APNSimWire

/// The shape of what stands after a fault's name.
package enum FaultParameters: Sendable {
  /// Nothing, or `true`: `swallow`.
  case none
  /// One value: `{ latency: 200ms }`.
  case value(FaultParameter, example: String)
  /// A mapping, or the one value that has to be there: `{ slice: { bytes: 1, pause: 10ms } }`, `{ slice: 1 }`.
  case fields([FaultParameter], example: String)
  /// The options of a reply.
  case replyOptions

  /// In the order in which they are kept.
  package var all: [FaultParameter] {
    switch self {
    case .none, .replyOptions: []
    case .value(let parameter, _): [parameter]
    case .fields(let parameters, _): parameters
    }
  }
}

/// A parameter of a fault.
package struct FaultParameter: Sendable {
  /// The values there are and the way they are written.
  package enum Kind: Hashable, Sendable {
    /// A whole number in a range.
    case count(ClosedRange<Int>)
    /// A duration.
    case span
    /// `now`, `{ afterBytes: 40 }`, `{ afterFrames: 3 }` or `{ afterRequests: 3 }`.
    case trigger
    /// The name of a refusal, or `{ alert: 44 }`.
    case refusal
    /// A reason of Apple's.
    case reason
    /// `true` or `false`.
    case flag
    /// One of these names.
    case choice([String])
    /// A code of HTTP/2, by its name or number.
    case code
    /// `exact`, `below`, `zero` or a number.
    case lastStream
    case text
  }

  /// Empty for a fault's only value.
  package let key: String
  package let kind: Kind
  /// The words for it in errors: `the pause`; empty where the fault's name says it.
  package let subject: String
  /// The argument where none is given; nil where there is none then, or where one has to be.
  package let standard: FaultArgument?
  /// True if it may be left out, which is a value of its own.
  package let isOptional: Bool

  init(
    _ key: String,
    _ kind: Kind,
    _ subject: String = "",
    standard: FaultArgument? = nil,
    isOptional: Bool = false
  ) {
    (self.key, self.kind, self.subject) = (key, kind, subject)
    (self.standard, self.isOptional) = (standard, isOptional)
  }

  /// True if a value has to be given.
  package var isRequired: Bool { standard == nil && !isOptional }
}

/// The value of a parameter; its case is that of the parameter's kind.
package enum FaultArgument: Hashable, Sendable {
  case count(Int)
  case span(TimeSpan)
  case trigger(Fault.Trigger)
  case refusal(Fault.HandshakeRefusal)
  case reason(Reason)
  case flag(Bool)
  case choice(String)
  case code(HTTP2Code)
  case lastStream(Fault.GoAway.LastStream)
  case text(String)
}

/// The values of a fault's parameters by their keys.
package struct FaultArguments: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  private var values: [String: FaultArgument] = [:]

  package init(dictionaryLiteral pairs: (String, FaultArgument)...) {
    for (key, value) in pairs { values[key] = value }
  }

  /// Takes those that there are.
  package init(_ pairs: [(String, FaultArgument?)]) {
    for (key, value) in pairs { values[key] = value }
  }

  package subscript(key: String) -> FaultArgument? {
    get { values[key] }
    set { values[key] = newValue }
  }
}

extension FaultArgument {
  /// Reads what ``write(to:)`` writes of an argument of a kind.
  init(of kind: FaultParameter.Kind, reading state: inout StateReader) throws(StateError) {
    self =
      switch kind {
      case .count: .count(try state.read())
      case .span: .span(try state.read())
      case .trigger: .trigger(try state.read())
      case .refusal: .refusal(try state.read())
      case .reason: .reason(try state.read())
      case .flag: .flag(try state.read())
      case .choice(let names): .choice(try Self.name(among: names, &state))
      case .code: .code(try state.read())
      case .lastStream: .lastStream(try state.read())
      case .text: .text(try state.read())
      }
  }

  private static func name(among names: [String], _ state: inout StateReader) throws(StateError) -> String {
    let name: String = try state.read()
    guard names.contains(name) else { throw state.error("one of \(names) was expected, and \(name) found") }
    return name
  }

  func write(to state: inout StateWriter) {
    switch self {
    case .count(let count): count.write(to: &state)
    case .span(let span): span.write(to: &state)
    case .trigger(let trigger): trigger.write(to: &state)
    case .refusal(let refusal): refusal.write(to: &state)
    case .reason(let reason): reason.write(to: &state)
    case .flag(let flag): flag.write(to: &state)
    case .choice(let name), .text(let name): name.write(to: &state)
    case .code(let code): code.write(to: &state)
    case .lastStream(let stream): stream.write(to: &state)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .count(let count): writer.int(count)
    case .span(let span): writer.string(span.description)
    case .trigger(let trigger): trigger.write(to: &writer)
    case .refusal(let refusal): refusal.write(to: &writer)
    case .reason(let reason): writer.string(reason.name())
    case .flag(let flag): writer.bool(flag)
    case .choice(let name): writer.string(name)
    case .code(let code):
      if HTTP2Code(name: code.name) == code { writer.string(code.name) } else { writer.int(code.rawValue) }
    case .lastStream(let stream): stream.write(to: &writer)
    case .text(let text): writer.string(text)
    }
  }
}
