package import APNSimWire

extension FaultKind {
  private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.makeRow()) })

  package var row: FaultRow { Self.rows[self] ?? makeRow() }

  /// Every name, the most common first.
  package static let names = allCases.map(\.rawValue)

  /// `latency: 200ms`, the fault as an error shows it; without a value where it takes none.
  package var example: String {
    switch row.parameters {
    case .none, .replyOptions: rawValue
    case .value(_, let example), .fields(_, let example): "\(rawValue): \(example)"
    }
  }
}

extension Fault {
  /// Its name in scenarios, in the API and in the journal.
  package var name: String { spelling.kind.rawValue }

  package var kind: FaultKind { spelling.kind }

  package var arguments: FaultArguments { spelling.arguments }

  /// The listeners on whose connections it can happen.
  package var listeners: [Listener] { spelling.kind.row.listeners }

  /// The moment of decision: of a trigger other than `now`, the connection's opening.
  package var moment: FaultMoment {
    let (kind, arguments) = spelling
    if case .trigger(let trigger)? = arguments[""], trigger != .now { return .opening }
    return kind.row.moment
  }

  /// Writes the fault as `fault` has it: `"swallow"`, `{"reset":{"afterBytes":40}}`.
  package func write(to writer: inout JSONWriter) {
    let (kind, arguments) = spelling
    switch kind.row.parameters {
    case .none, .replyOptions: writer.string(kind.rawValue)
    case .value where arguments[""] == .trigger(.now): writer.string(kind.rawValue)
    case .value:
      writer.beginObject()
      writer.key(kind.rawValue)
      arguments[""]?.write(to: &writer)
      writer.endObject()
    case .fields(let parameters, _):
      writer.beginObject()
      writer.key(kind.rawValue)
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
}

extension FaultArgument {
  fileprivate func write(to writer: inout JSONWriter) {
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

extension Fault.Trigger {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .now: break
    case .afterBytes(let count): writer.member("afterBytes", count)
    case .afterFrames(let count): writer.member("afterFrames", count)
    case .afterRequests(let count): writer.member("afterRequests", count)
    }
    writer.endObject()
  }
}

extension Fault.GoAway.LastStream {
  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .exact: writer.string("exact")
    case .below: writer.string("below")
    case .zero: writer.string("zero")
    case .number(let number): writer.int(number)
    }
  }
}

extension Fault.HandshakeRefusal {
  /// `"close"` or `{"alert":44}`.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .close: writer.string("close")
    case .alert(let number):
      writer.beginObject()
      writer.member("alert", number)
      writer.endObject()
    }
  }
}
