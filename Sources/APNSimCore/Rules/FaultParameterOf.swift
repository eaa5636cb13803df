import APNSimWire

/// A parameter of a fault by the type of its values, as a row has it.
package struct FaultParameterOf<Value>: Sendable {
  let parameter: FaultParameter
  private let read: @Sendable (FaultArgument?) -> Value
  /// The value as an argument; nil for one that is left out.
  let argument: @Sendable (Value) -> FaultArgument?

  /// Its value among arguments.
  func value(_ arguments: FaultArguments) -> Value { read(arguments[parameter.key]) }
}

// An argument of another kind than the row says does not come from a reader, nor does a row's own call make one.

extension FaultParameterOf where Value == Int {
  /// A whole number in a range.
  static func count(_ key: String = "", _ subject: String = "", in range: ClosedRange<Int>) -> Self {
    Self(
      parameter: FaultParameter(key, .count(range), subject),
      read: { if case .count(let count)? = $0 { count } else { 0 } },
      argument: { .count($0) }
    )
  }
}

extension FaultParameterOf where Value == Int? {
  static func countIfGiven(_ key: String, _ subject: String, in range: ClosedRange<Int>) -> Self {
    Self(
      parameter: FaultParameter(key, .count(range), subject, isOptional: true),
      read: { if case .count(let count)? = $0 { count } else { nil } },
      argument: { $0.map { .count($0) } }
    )
  }
}

extension FaultParameterOf where Value == TimeSpan {
  /// - Parameter standard: taken where there is no value.
  static func span(_ key: String = "", _ subject: String = "", standard: TimeSpan? = nil) -> Self {
    Self(
      parameter: FaultParameter(key, .span, subject, standard: standard.map { .span($0) }),
      read: { if case .span(let span)? = $0 { span } else { .zero } },
      argument: { .span($0) }
    )
  }
}

extension FaultParameterOf where Value == TimeSpan? {
  static func spanIfGiven(_ key: String, _ subject: String) -> Self {
    Self(
      parameter: FaultParameter(key, .span, subject, isOptional: true),
      read: { if case .span(let span)? = $0 { span } else { nil } },
      argument: { $0.map { .span($0) } }
    )
  }
}

extension FaultParameterOf where Value == Fault.Trigger {
  /// `now`, which need not be said, or a place in the connection's stream.
  static var trigger: Self {
    Self(
      parameter: FaultParameter("", .trigger, standard: .trigger(.now)),
      read: { if case .trigger(let trigger)? = $0 { trigger } else { .now } },
      argument: { .trigger($0) }
    )
  }
}

extension FaultParameterOf where Value == Fault.HandshakeRefusal {
  static var refusal: Self {
    Self(
      parameter: FaultParameter("", .refusal),
      read: { if case .refusal(let refusal)? = $0 { refusal } else { .close } },
      argument: { .refusal($0) }
    )
  }
}

extension FaultParameterOf where Value == Reason? {
  static func reasonIfGiven(_ key: String, _ subject: String) -> Self {
    Self(
      parameter: FaultParameter(key, .reason, subject, isOptional: true),
      read: { if case .reason(let reason)? = $0 { reason } else { nil } },
      argument: { $0.map { .reason($0) } }
    )
  }
}

extension FaultParameterOf where Value == Bool {
  static func flag(_ key: String, _ subject: String, standard: Bool) -> Self {
    Self(
      parameter: FaultParameter(key, .flag, subject, standard: .flag(standard)),
      read: { if case .flag(let flag)? = $0 { flag } else { standard } },
      argument: { .flag($0) }
    )
  }
}

extension FaultParameterOf where Value: RawRepresentable<String> & CaseIterable & Sendable {
  /// One of the names of an enum.
  static func choice(_ key: String, _ subject: String, standard: Value) -> Self {
    Self(
      parameter: FaultParameter(
        key,
        .choice(Value.allCases.map(\.rawValue)),
        subject,
        standard: .choice(standard.rawValue)
      ),
      read: { if case .choice(let name)? = $0 { Value(rawValue: name) ?? standard } else { standard } },
      argument: { .choice($0.rawValue) }
    )
  }
}

extension FaultParameterOf where Value == HTTP2Code {
  static func code(_ key: String, _ subject: String, standard: HTTP2Code) -> Self {
    Self(
      parameter: FaultParameter(key, .code, subject, standard: .code(standard)),
      read: { if case .code(let code)? = $0 { code } else { standard } },
      argument: { .code($0) }
    )
  }
}

extension FaultParameterOf where Value == Fault.GoAway.LastStream {
  static func lastStream(_ key: String, _ subject: String) -> Self {
    Self(
      parameter: FaultParameter(key, .lastStream, subject, standard: .lastStream(.exact)),
      read: { if case .lastStream(let stream)? = $0 { stream } else { .exact } },
      argument: { .lastStream($0) }
    )
  }
}

extension FaultParameterOf where Value == String? {
  static func textIfGiven(_ key: String, _ subject: String) -> Self {
    Self(
      parameter: FaultParameter(key, .text, subject, isOptional: true),
      read: { if case .text(let text)? = $0 { text } else { nil } },
      argument: { $0.map { .text($0) } }
    )
  }
}
