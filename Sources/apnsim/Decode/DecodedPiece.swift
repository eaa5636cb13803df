import APNSimCore
import APNSimWire

/// One frame of a decoded stream, or the rest in which no frame was found.
struct DecodedPiece: Sendable {
  /// A notification, or the reason why there is none.
  enum Kind: Sendable {
    /// A notification frame, and a gateway's answer to it on a connection of its own.
    case notification(NotificationView, answer: ErrorResponse?)
    /// The stream ended in the middle of a frame.
    case incomplete
    /// The bytes after a broken frame cannot be interpreted.
    case unreadable
  }

  var kind: Kind
  /// The bytes of the stream that it covers.
  var range: Range<Int>
  var lines: [AnnotatedHex.Line]

  /// The notification, if it is one.
  var view: NotificationView? {
    guard case .notification(let view, _) = kind else { return nil }
    return view
  }

  var isRefused: Bool { view.map { !$0.outcome.isAccepted } ?? false }

  /// Explains a byte that begins no frame by the notification before it in the stream.
  mutating func follow(_ preceding: NotificationView, named name: String) {
    guard case .notification(var view, let answer) = kind, view.hasUnknownCommand else { return }
    view.explanations[view.explanations.count - 1].hint = preceding.hintAboutBytesAfter(named: name)
    kind = .notification(view, answer: answer)
  }
}

extension DecodedPiece {
  /// The piece for people: a heading, the annotated bytes, the verdict.
  func text(number: Int, _ style: Style) -> [String] {
    let place = "at \(range.lowerBound), \(Number.counted(range.count, "byte"))"
    var name = "rest"
    if case .notification = kind { name = "frame \(number)" }
    var lines = [style.paint(name, .bold) + " \(place): \(verdict(style))"]
    lines += AnnotatedHex.render(self.lines).split(separator: "\n").map { "  " + $0 }
    if case .notification(let view, _) = kind {
      for explanation in view.explanations where !explanation.isPassed || explanation.hint != nil {
        if let detail = explanation.detail {
          lines.append("  \(explanation.check): \(detail)")
        }
        if let hint = explanation.hint { lines.append("  hint: \(hint)") }
      }
    }
    return lines
  }

  private func verdict(_ style: Style) -> String {
    switch kind {
    case .incomplete: return style.paint("incomplete", .yellow)
    case .unreadable: return style.paint("unreadable", .yellow)
    case .notification(let view, let answer):
      guard isRefused else { return style.paint("accepted", .green) }
      let status = "status \(view.status.rawValue), \(view.status.name)"
      guard let answer else { return style.paint("refused", .red) + " without an answer: \(status)" }
      return style.paint("refused", .red) + " with \(Hex.encode(answer.bytes)): \(status)"
    }
  }

  /// The piece as one line of JSON: the notification's shape of the API, with its place in the stream.
  func json(number: Int) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("frame", number)
    writer.member("offset", range.lowerBound)
    writer.member("length", range.count)
    writer.key("verdict")
    switch kind {
    case .incomplete: writer.string("incomplete")
    case .unreadable: writer.string("unreadable")
    case .notification(let view, let answer):
      writer.string(isRefused ? "refused" : "accepted")
      writer.key("answer")
      if let answer { writer.hex(answer.bytes) } else { writer.null() }
      NotificationView.content.write(view, to: &writer)
    }
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
