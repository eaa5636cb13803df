import APNSimCapture
import APNSimCore
import APNSimWire

/// A difference of two captures, with what each has.
struct DiffEntry: ReportEntry {
  let difference: CaptureDiff.Difference
  let a: CaptureDigest.Item?
  let b: CaptureDigest.Item?

  // MARK: Text

  func write(to rows: inout ReportRows) {
    let line =
      switch difference.kind {
      case .onlyInA, .errorOnlyInA, .tupleOnlyInA: rows.style.paint(subject, .red)
      case .onlyInB, .errorOnlyInB, .tupleOnlyInB: rows.style.paint(subject, .green)
      default: subject
      }
    rows.add(line: line + change)
  }

  /// The kind, and the notification, error or tuple.
  private var subject: String {
    let item = (a ?? b).map(name) ?? ""
    return switch difference.kind {
    case .onlyInA: "- only in A  \(item)"
    case .onlyInB: "+ only in B  \(item)"
    case .outcome: "~ outcome    \(item)"
    case .answer: "~ answer     \(item)"
    case .fields: "~ fields     \(item)"
    case .order: "~ order      \(item)"
    case .connection: "~ connection \(item)"
    case .time: "~ time       \(item)"
    case .errorOnlyInA: "- error in A \(words(difference.error))"
    case .errorOnlyInB: "+ error in B \(words(difference.error))"
    case .tupleOnlyInA: "- feedback in A \(words(difference.tuple))"
    case .tupleOnlyInB: "+ feedback in B \(words(difference.tuple))"
    }
  }

  /// The difference.
  private var change: String {
    switch difference.kind {
    case .onlyInA: became(a)
    case .onlyInB: became(b)
    case .outcome, .answer: "\(became(a)) →\(became(b))"
    case .fields: ": \(changes(a, b))"
    case .order: ": on its connection it came later in A than in B"
    case .connection: ": \(a?.connection.description ?? "") → \(b?.connection.description ?? "")"
    case .time: ": \(a?.time.description ?? "") → \(b?.time.description ?? "")"
    case .errorOnlyInA, .errorOnlyInB, .tupleOnlyInA, .tupleOnlyInB: ""
    }
  }

  /// `00000005 to a0dededede… (com.example.app, n5 on c1)`
  private func name(_ item: CaptureDigest.Item) -> String {
    let token = Hex.encode(item.token.prefix(8)) + (item.token.count > 8 ? "…" : "")
    if item.isCutOff, token.isEmpty {
      return "\(item.label), cut off (\(TerminalText.visible(item.topic)), on \(item.connection))"
    }
    var number = item.number > 0 ? "n\(item.number) " : ""
    if let request = item.request { number += "stream \(request.stream) " }
    return
      "\(TerminalText.visible(item.label)) to \(token.isEmpty ? "no token" : token) (\(TerminalText.visible(item.topic)), \(number)on \(item.connection))"
  }

  private func became(_ item: CaptureDigest.Item?) -> String {
    guard let item else { return "" }
    if let request = item.request {
      let words = [item.outcome?.description, request.answer?.text].compactMap { $0 }
      return words.map { " \($0)" }.joined()
    }
    guard let outcome = item.outcome else { return "" }
    return " \(outcome)" + (item.status > 0 ? " \(item.status)" : "")
  }

  /// `command 1 → 2, priority none → 5`; another time of expiry is told where nothing else is.
  private func changes(_ a: CaptureDigest.Item?, _ b: CaptureDigest.Item?) -> String {
    if let one = a?.request, let two = b?.request {
      return one.changes(to: two, comparesTimes: true).map {
        "\($0.name) \(TerminalText.visible($0.from)) → \(TerminalText.visible($0.to))"
      }.joined(separator: ", ")
    }
    func written(_ value: (some BinaryInteger)?) -> String { value.map { "\($0)" } ?? "none" }
    let changed = [
      ("command", written(a?.command), written(b?.command)),
      ("priority", written(a?.priority), written(b?.priority)),
      ("expiry", written(a?.expiry), written(b?.expiry)),
    ].filter { $0.1 != $0.2 }
    let isOtherTime = a?.expiry ?? 0 > 0 && b?.expiry ?? 0 > 0
    return changed.filter { $0.0 != "expiry" || !isOtherTime || changed.count == 1 }.map {
      "\($0.0) \($0.1) → \($0.2)"
    }.joined(separator: ", ")
  }

  private func words(_ tuple: CaptureDigest.TupleItem?) -> String {
    guard let tuple else { return "" }
    let token = tuple.token.isEmpty ? "a token" : Hex.encode(tuple.token)
    return "\(token) (\(TerminalText.visible(tuple.topic)))"
  }

  private func words(_ error: CaptureDigest.ErrorItem?) -> String {
    guard let error else { return "" }
    guard let response = error.response else {
      let count = "\(error.bytes.count) of \(ErrorResponse.byteCount) bytes"
      return "cut short: \(Hex.encode(error.bytes)), \(count) (\(TerminalText.visible(error.topic)))"
    }
    return
      "status \(response.status.rawValue) for \(response.identifier.hex) (\(TerminalText.visible(error.topic)))"
  }

  // MARK: JSON

  func write(to writer: inout JSONWriter) {
    writer.member("kind", difference.kind.rawValue)
    if let a { writer.object("a") { write(a, to: &$0) } }
    if let b { writer.object("b") { write(b, to: &$0) } }
    if let tuple = difference.tuple {
      writer.object("tuple") { writer in
        writer.member("topic", tuple.topic)
        if !tuple.token.isEmpty { writer.member("token", hex: tuple.token) }
      }
    }
    if let error = difference.error {
      writer.object("error") { writer in
        writer.member("topic", error.topic)
        guard let response = error.response else { return writer.member("bytes", hex: error.bytes) }
        writer.member("status", response.status.rawValue)
        writer.member("identifier", response.identifier.hex)
      }
    }
  }

  private func write(_ item: CaptureDigest.Item, to writer: inout JSONWriter) {
    if item.number > 0 { writer.member("id", "n\(item.number)") }
    writer.member("connection", item.connection.description)
    writer.member("topic", item.topic)
    writer.member("token", hex: item.token)
    writer.key("identifier")
    if let identifier = item.identifier { writer.string(identifier.hex) } else { writer.null() }
    if let request = item.request {
      write(request, item.outcome, to: &writer)
    } else {
      writer.member("command", item.command)
      if let expiry = item.expiry { writer.member("expiry", expiry) }
      if let priority = item.priority { writer.member("priority", priority) }
      if let outcome = item.outcome {
        writer.member("outcome", outcome.description)
        writer.member("status", item.status)
      }
    }
    writer.member("after", item.time.description)
  }

  private func write(_ request: RequestItem, _ outcome: Outcome?, to writer: inout JSONWriter) {
    writer.member("interface", "http2")
    writer.member("stream", request.stream)
    writer.member("method", request.method)
    writer.member("path", request.path)
    for (key, text) in [
      ("suppliedId" as StaticString, request.suppliedId), ("pushType", request.pushType),
      ("collapseId", request.collapseId), ("priority", request.priority), ("expiration", request.expiration),
    ] where text != nil { writer.member(key, text) }
    if let outcome { writer.member("outcome", outcome.description) }
    request.answer?.writeMembers(to: &writer)
  }

  // MARK: JUnit

  var testCase: TestCase {
    let item = a ?? b
    let failure = TestCase.Failure(kind: difference.kind.rawValue, message: subject + change)
    return TestCase(
      group: item.map { "\($0.connection)" } ?? "captures",
      name: item.map(name) ?? subject,
      failure: failure
    )
  }
}
