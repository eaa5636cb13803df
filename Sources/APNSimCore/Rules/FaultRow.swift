package import APNSimWire

/// A row of the catalogue of faults (`FaultKind`): everything about a fault but its name.
package struct FaultRow: Sendable {
  /// The listeners on whose connections the fault can happen; the first is meant where a rule names none.
  package let listeners: [Listener]
  /// The moment of decision; a fault with a trigger other than `now` is decided when the connection opens.
  package let moment: FaultMoment
  package let parameters: FaultParameters
  /// Makes the fault of arguments that are as `parameters` says.
  package let make: @Sendable (FaultArguments) throws(FaultMistake) -> Fault

  init(
    _ listeners: Listener...,
    at moment: FaultMoment,
    _ parameters: FaultParameters = .none,
    make: @escaping @Sendable (FaultArguments) throws(FaultMistake) -> Fault
  ) {
    (self.listeners, self.moment, self.parameters, self.make) = (listeners, moment, parameters, make)
  }

  /// `shutdown` is spelled as a fault and is a reply of status 10, made by the reader of replies.
  static let shutdown = FaultRow(.gateway, .http2, at: .notification, .replyOptions) {
    _ throws(FaultMistake) in
    throw FaultMistake(key: "", message: "shutdown is a reply, not a fault")
  }
}

/// The moment at which a fault is decided, and so what is known to its rule.
package enum FaultMoment: Sendable {
  /// TCP is accepted: the listener and the connection's place are known.
  case arrival
  /// The certificate is good: topic and environment are known.
  case handshake
  /// The connection opens.
  case opening
  /// A notification came.
  case notification
}

/// Arguments that are each good and do not go together.
package struct FaultMistake: Error {
  /// The parameter to point at.
  package let key: String
  package let message: String
}

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

  /// - Parameter standard: taken where there is no value.
  static func value(
    _ kind: FaultParameter.Kind,
    _ example: String,
    standard: FaultArgument? = nil
  ) -> FaultParameters {
    .value(FaultParameter("", kind, standard: standard), example: example)
  }

  static func fields(_ parameters: [FaultParameter], _ example: String) -> FaultParameters {
    .fields(parameters, example: example)
  }

  /// `now`, which need not be said, or a place in the connection's stream.
  static let trigger = value(.trigger, "{ afterBytes: 40 }", standard: .trigger(.now))
}

// MARK: Parameters

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
  init(_ values: [String: FaultArgument?]) { self.values = values.compactMapValues { $0 } }

  /// Takes those that there are.
  package init(_ pairs: [(String, FaultArgument?)]) {
    for (key, value) in pairs { values[key] = value }
  }

  package subscript(key: String) -> FaultArgument? {
    get { values[key] }
    set { values[key] = newValue }
  }

  // An argument of another kind than the row says does not come from a reader: a test holds each row against this.

  func count(_ key: String = "") -> Int { if case .count(let count)? = values[key] { count } else { 0 } }

  func span(_ key: String = "") -> TimeSpan { if case .span(let span)? = values[key] { span } else { .zero } }

  func countIfGiven(_ key: String) -> Int? { if case .count(let count)? = values[key] { count } else { nil } }

  func spanIfGiven(_ key: String) -> TimeSpan? {
    if case .span(let span)? = values[key] { span } else { nil }
  }

  func reason(_ key: String) -> Reason? { if case .reason(let reason)? = values[key] { reason } else { nil } }

  func flag(_ key: String) -> Bool { if case .flag(let flag)? = values[key] { flag } else { false } }

  func choice(_ key: String) -> String? { if case .choice(let name)? = values[key] { name } else { nil } }

  func code(_ key: String) -> HTTP2Code? { if case .code(let code)? = values[key] { code } else { nil } }

  func text(_ key: String) -> String? { if case .text(let text)? = values[key] { text } else { nil } }

  func lastStream(_ key: String) -> Fault.GoAway.LastStream {
    if case .lastStream(let stream)? = values[key] { stream } else { .exact }
  }

  func trigger() -> Fault.Trigger {
    if case .trigger(let trigger)? = values[""] { trigger } else { .now }
  }

  func refusal() -> Fault.HandshakeRefusal {
    if case .refusal(let refusal)? = values[""] { refusal } else { .close }
  }
}
