package import APNSimWire

/// Something that goes wrong on purpose: its kind, and arguments for the kind's parameters.
///
/// Everything about a fault stands in the row of its kind (``FaultKind``), in the file of its family: `NotificationFaults`,
/// `RequestFaults`, `ConnectionFaults` or `FeedbackFaults`. The core decides on it, the listener performs it.
package struct Fault: Hashable, Sendable {
  package let kind: FaultKind
  /// The values by the parameters' keys; a single value has no key.
  package let arguments: FaultArguments

  /// Its name in scenarios, in the API and in the journal.
  package var name: String { kind.name }

  /// The listeners on whose connections it can happen.
  package var listeners: [Listener] { kind.listeners }

  /// The moment of decision: of a trigger other than `now`, the connection's opening.
  package var moment: FaultMoment {
    if case .trigger(let trigger)? = arguments[""], trigger != .now { return .opening }
    return kind.moment
  }

  var effect: FaultEffect { kind.effect(self) }

  /// The effect on its request; nothing where it is none of requests.
  package var ofAnswer: AnswerEffect {
    if case .answer(let effect) = effect { effect } else { AnswerEffect() }
  }

  init(_ kind: FaultKind, _ arguments: FaultArguments) { (self.kind, self.arguments) = (kind, arguments) }
}

extension Fault: JSONDescribed {
  /// Writes the fault as `fault` has it: `"swallow"`, `{"reset":{"afterBytes":40}}`.
  package func write(to writer: inout JSONWriter) {
    switch kind.parameters {
    case .none, .replyOptions: writer.string(name)
    case .value where arguments[""] == .trigger(.now): writer.string(name)
    case .value:
      writer.beginObject()
      writer.key(name)
      arguments[""]?.write(to: &writer)
      writer.endObject()
    case .fields(let parameters, _):
      writer.beginObject()
      writer.key(name)
      writer.beginObject()
      for parameter in parameters {
        guard let argument = arguments[parameter.key] else { continue }
        writer.key(parameter.key)
        argument.write(to: &writer)
      }
      writer.endObject()
      writer.endObject()
    }
  }

  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue {
    .object("type", .strings(["object", "string"]))
  }
}

/// The kind's tag, then the arguments in the parameters' order.
extension Fault: Kept {
  func write(to state: inout StateWriter) {
    state.write(raw: kind.tag ?? .max)
    for parameter in kind.parameters.all {
      let argument = arguments[parameter.key]
      if parameter.isOptional { (argument != nil).write(to: &state) }
      argument?.write(to: &state)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    let tag = try state.raw(UInt8.self)
    guard let kind = FaultKind.allCases.first(where: { $0.tag == tag }) else {
      throw state.error("a value of Fault was expected, and tag \(tag) found")
    }
    var arguments: FaultArguments = [:]
    for parameter in kind.parameters.all {
      if parameter.isOptional, try !Bool(reading: &state) { continue }
      arguments[parameter.key] = try FaultArgument(of: parameter.kind, reading: &state)
    }
    self.init(kind, arguments)
  }
}

/// A kind of fault by the types of its parameters; called with values of them, it makes a fault.
package struct FaultOf<each Value>: Sendable {
  package let kind: FaultKind
  private let arguments: @Sendable (repeat each Value) -> FaultArguments

  /// A row of the catalogue.
  /// - Parameters:
  ///   - mistake: what does not go together; nil where all does.
  ///   - sees: what a provider sees, in order.
  ///   - effect: what it does, in terms of what the simulator can do.
  init(
    _ title: FaultTitle,
    _ parameter: repeat FaultParameterOf<each Value>,
    words: FaultWords,
    mistake: (@Sendable (repeat each Value) -> FaultMistake?)? = nil,
    sees: @escaping @Sendable (repeat each Value) -> [FaultSight],
    effect: @escaping @Sendable (repeat each Value) -> FaultEffect
  ) {
    var parameters: [FaultParameter] = []
    for one in repeat each parameter { parameters.append(one.parameter) }
    kind = FaultKind(
      title,
      parameters.first?.key == ""
        ? .value(parameters[0], example: words.example) : .fields(parameters, example: words.example),
      words: words,
      mistake: { given in mistake?(repeat (each parameter).value(given)) },
      sees: { given in sees(repeat (each parameter).value(given)) },
      effect: { given in effect(repeat (each parameter).value(given)) }
    )
    arguments = { (value: repeat each Value) in
      var given: FaultArguments = [:]
      for (one, value) in repeat (each parameter, each value) {
        given[one.parameter.key] = one.argument(value)
      }
      return given
    }
  }

  package func callAsFunction(_ value: repeat each Value) -> Fault {
    Fault(kind, arguments(repeat each value))
  }
}

extension Fault {
  /// A row of the catalogue that takes no arguments; see ``FaultOf``.
  init(_ title: FaultTitle, words: FaultWords, sees: [FaultSight], effect: FaultEffect) {
    let kind = FaultKind(
      title,
      .none,
      words: words,
      mistake: { _ in nil },
      sees: { _ in sees },
      effect: { _ in effect }
    )
    self.init(kind, [:])
  }
}
