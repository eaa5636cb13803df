import APNSimCapture
import APNSimCore
import APNSimWire

/// The difference of two captures, for people and for programs.
enum DiffText {
  /// The most differences that are listed one by one.
  private static let most = 100
  /// The most connections with gaps that are named.
  private static let mostGaps = 10

  static func lines(
    _ diff: CaptureDiff,
    _ a: (path: String, digest: CaptureDigest),
    _ b: (path: String, digest: CaptureDigest),
    _ style: Style
  ) -> [String] {
    var lines = [
      "A  \(a.path): \(sum(a.digest))",
      "B  \(b.path): \(sum(b.digest))",
    ]
    for (name, digest) in [("A", a.digest), ("B", b.digest)] {
      if digest.answersWithoutRequest > 0 {
        let count = Number.counted(digest.answersWithoutRequest, "answer")
        lines.append("\(name)  \(count) without requests, not compared")
      }
      if let text = digest.gaps.text { lines.append("\(name)  \(text)") }
      if let text = gaps(name, digest) { lines.append(text) }
      lines += digest.notes.map { "\(name)  \($0)" }
    }
    for difference in diff.differences.prefix(most) {
      let items = (difference.a.map { a.digest.items[$0] }, difference.b.map { b.digest.items[$0] })
      lines.append(line(difference, items, style))
    }
    if diff.differences.count > most {
      lines.append("and \(Number.grouped(diff.differences.count - most)) more (--json lists all)")
    }
    var same = "\(Number.counted(diff.matched, "notification"))"
    if diff.matchedTuples > 0 { same += " and \(Number.counted(diff.matchedTuples, "feedback tuple"))" }
    same += " in both"
    lines.append(
      diff.isSame
        ? style.paint("\(same), no differences", .green)
        : "\(same); " + style.paint(Number.counted(diff.differences.count, "difference"), .red)
    )
    return lines
  }

  private static func sum(_ digest: CaptureDigest) -> String {
    "\(Number.counted(digest.notifications, "notification")) on "
      + "\(Number.counted(digest.connections, "connection")), "
      + Number.counted(digest.errors.count, "error response")
      + (digest.tuples.isEmpty ? "" : ", \(Number.counted(digest.tuples.count, "feedback tuple"))")
  }

  /// `A  bytes are missing on c1: what was in them shows as only in the other`
  private static func gaps(_ name: String, _ digest: CaptureDigest) -> String? {
    let connections = digest.broken.sorted()
    guard !connections.isEmpty else { return nil }
    let more = connections.count > mostGaps ? " and \(Number.grouped(connections.count - mostGaps)) more" : ""
    let names = connections.prefix(mostGaps).map(\.description).joined(separator: ", ") + more
    return "\(name)  bytes are missing on \(names): what was in them shows as only in the other"
  }

  private static func line(
    _ difference: CaptureDiff.Difference,
    _ items: (a: CaptureDigest.Item?, b: CaptureDigest.Item?),
    _ style: Style
  ) -> String {
    let (a, b) = items
    let subject = (a ?? b).map { name($0) } ?? ""
    switch difference.kind {
    case .onlyInA: return style.paint("- only in A  \(subject)", .red) + became(a)
    case .onlyInB: return style.paint("+ only in B  \(subject)", .green) + became(b)
    case .outcome: return "~ outcome    \(subject)\(became(a)) →\(became(b))"
    case .answer: return "~ answer     \(subject)\(became(a)) →\(became(b))"
    case .fields: return "~ fields     \(subject): \(changes(a, b))"
    case .order: return "~ order      \(subject): on its connection it came later in A than in B"
    case .connection:
      return
        "~ connection \(subject): \(a?.connection.description ?? "") → \(b?.connection.description ?? "")"
    case .time: return "~ time       \(subject): \(a?.time.description ?? "") → \(b?.time.description ?? "")"
    case .errorOnlyInA: return style.paint("- error in A \(words(difference.error))", .red)
    case .errorOnlyInB: return style.paint("+ error in B \(words(difference.error))", .green)
    case .tupleOnlyInA: return style.paint("- feedback in A \(words(difference.tuple))", .red)
    case .tupleOnlyInB: return style.paint("+ feedback in B \(words(difference.tuple))", .green)
    }
  }

  /// `00000005 to a0dededede… (com.example.app, n5 on c1)`
  private static func name(_ item: CaptureDigest.Item) -> String {
    let token = Hex.encode(item.token.prefix(8)) + (item.token.count > 8 ? "…" : "")
    if item.isCutOff, token.isEmpty {
      return "\(item.label), cut off (\(TerminalText.visible(item.topic)), on \(item.connection))"
    }
    var number = item.number > 0 ? "n\(item.number) " : ""
    if let request = item.request { number += "stream \(request.stream) " }
    return
      "\(TerminalText.visible(item.label)) to \(token.isEmpty ? "no token" : token) (\(TerminalText.visible(item.topic)), \(number)on \(item.connection))"
  }

  private static func became(_ item: CaptureDigest.Item?) -> String {
    guard let item else { return "" }
    if let request = item.request {
      let words = [item.outcome?.description, request.answer?.text].compactMap { $0 }
      return words.map { " \($0)" }.joined()
    }
    guard let outcome = item.outcome else { return "" }
    return " \(outcome)" + (item.status > 0 ? " \(item.status)" : "")
  }

  /// `command 1 → 2, priority none → 5`; another time of expiry is told where nothing else is.
  private static func changes(_ a: CaptureDigest.Item?, _ b: CaptureDigest.Item?) -> String {
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

  private static func words(_ tuple: CaptureDigest.TupleItem?) -> String {
    guard let tuple else { return "" }
    let token = tuple.token.isEmpty ? "a token" : Hex.encode(tuple.token)
    return "\(token) (\(TerminalText.visible(tuple.topic)))"
  }

  private static func words(_ error: CaptureDigest.ErrorItem?) -> String {
    guard let error else { return "" }
    guard let response = error.response else {
      let count = "\(error.bytes.count) of \(ErrorResponse.byteCount) bytes"
      return "cut short: \(Hex.encode(error.bytes)), \(count) (\(TerminalText.visible(error.topic)))"
    }
    return
      "status \(response.status.rawValue) for \(response.identifier.hex) (\(TerminalText.visible(error.topic)))"
  }

  // MARK: JSON

  /// One object, emitted in portions: there may be millions of differences.
  static func json(
    _ diff: CaptureDiff,
    _ a: CaptureDigest,
    _ b: CaptureDigest,
    to output: ([UInt8]) -> Void
  ) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("same", diff.isSame)
    writer.member("matched", diff.matched)
    writer.member("matchedTuples", diff.matchedTuples)
    if diff.isPairingTokens {
      writer.member("redacted", true)
    }
    for (key, digest) in [("a" as StaticString, a), ("b", b)] {
      writer.key(key)
      writer.beginObject()
      writer.member("notifications", digest.notifications)
      writer.member("connections", digest.connections)
      writer.member("errors", digest.errors.count)
      writer.member("feedbackTuples", digest.tuples.count)
      writer.member("gaps", digest.broken.sorted().map(\.description))
      digest.gaps.write(to: &writer)
      digest.damage?.write(to: &writer)
      writer.member("notes", digest.notes)
      writer.endObject()
    }
    writer.key("differences")
    writer.beginArray()
    for difference in diff.differences {
      write(difference, a: difference.a.map { a.items[$0] }, b: difference.b.map { b.items[$0] }, to: &writer)
      guard writer.bytes.count > 65_536 else { continue }
      output(writer.bytes)
      writer.removeBytes()
    }
    writer.endArray()
    writer.endObject()
    writer.newline()
    output(writer.bytes)
  }

  /// Ends the object of a request.
  private static func write(
    _ request: RequestItem,
    _ outcome: Outcome?,
    after time: TimeSpan,
    to writer: inout JSONWriter
  ) {
    writer.member("interface", "http2")
    writer.member("stream", request.stream)
    writer.member("method", request.method)
    writer.member("path", request.path)
    for (key, text) in [
      ("suppliedId" as StaticString, request.suppliedId), ("pushType", request.pushType),
      ("collapseId", request.collapseId), ("priority", request.priority), ("expiration", request.expiration),
    ] where text != nil { writer.member(key, text) }
    if let outcome { writer.member("outcome", outcome.description) }
    switch request.answer {
    case .answered(let answer)?:
      writer.key("status")
      if let status = answer.status { writer.int(status) } else { writer.null() }
      if let reason = answer.reason { writer.member("reason", reason) }
      if let id = answer.id { writer.member("apnsId", id) }
    case let other?:
      writer.key("status")
      writer.null()
      writer.member("error", other.text)
    case nil: break
    }
    writer.member("after", time.description)
    writer.endObject()
  }

  private static func write(
    _ difference: CaptureDiff.Difference,
    a: CaptureDigest.Item?,
    b: CaptureDigest.Item?,
    to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("kind", difference.kind.rawValue)
    for case (let key, let item?) in [("a" as StaticString, a), ("b", b)] {
      writer.key(key)
      writer.beginObject()
      if item.number > 0 { writer.member("id", "n\(item.number)") }
      writer.member("connection", item.connection.description)
      writer.member("topic", item.topic)
      writer.member("token", hex: item.token)
      writer.key("identifier")
      if let identifier = item.identifier { writer.string(identifier.hex) } else { writer.null() }
      if let request = item.request {
        write(request, item.outcome, after: item.time, to: &writer)
        continue
      }
      writer.member("command", item.command)
      if let expiry = item.expiry { writer.member("expiry", expiry) }
      if let priority = item.priority { writer.member("priority", priority) }
      if let outcome = item.outcome {
        writer.member("outcome", outcome.description)
        writer.member("status", item.status)
      }
      writer.member("after", item.time.description)
      writer.endObject()
    }
    if let tuple = difference.tuple {
      writer.key("tuple")
      writer.beginObject()
      writer.member("topic", tuple.topic)
      if !tuple.token.isEmpty { writer.member("token", hex: tuple.token) }
      writer.endObject()
    }
    if let error = difference.error {
      writer.key("error")
      writer.beginObject()
      writer.member("topic", error.topic)
      if let response = error.response {
        writer.member("status", response.status.rawValue)
        writer.member("identifier", response.identifier.hex)
      } else {
        writer.member("bytes", hex: error.bytes)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}
