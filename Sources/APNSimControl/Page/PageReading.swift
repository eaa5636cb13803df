import APNSimCore
import APNSimWire

/// The part of the page that can be read without JavaScript: the newest notifications, or one of them.
struct PageReading {
  /// At most so many notifications in the list.
  private static let most = 100
  /// At most so many stretches of the history are looked through for one list.
  private static let mostStretches = 64

  private let simulator: Simulator
  /// The path of the list: `/` or `/sandboxes/s1/`.
  private let base: String
  private let parts: [String]
  private let query: String?

  /// - Returns: nil where there is no such simulator.
  init?(_ services: ControlServices, _ sandbox: String?, _ parts: [String], _ query: String?) {
    guard let space = try? services.space(sandbox) else { return nil }
    simulator = space.simulator
    base = sandbox.map { "/sandboxes/\($0)/" } ?? "/"
    self.parts = parts
    self.query = (try? QueryParameters(query, known: ["query", "from", "to"]))?["query"]
  }

  var html: String {
    if parts.first == "notifications", parts.count > 1 { return notification(parts[1]) }
    return parts.isEmpty || parts == ["notifications"]
      ? list
      : "<p>Without JavaScript there is <a href=\"\(Markup.escaped(base))\">the list of notifications</a>.</p>"
  }

  // MARK: The list

  private var list: String {
    let form =
      "<form action=\"\(Markup.escaped(base))\"><label>Filter <input name=\"query\" value=\"\(Markup.escaped(query ?? ""))\">"
      + "</label> <button>Show</button></form>"
    do throws(ProblemDetails) {
      let views = newest(try Call.compiled(query))
      guard !views.isEmpty else { return form + "<p>No notification.</p>" }
      return form
        + "<table><thead><tr><th>Time</th><th>Outcome</th><th>What it says</th><th>Device</th><th>App</th>"
        + "<th>Sent as</th></tr></thead><tbody>\(views.map(row).joined())</tbody></table>"
    } catch {
      return form + Markup.element("p", error.detail)
    }
  }

  private func newest(_ query: CompiledQuery?) -> [NotificationView] {
    var views: [NotificationView] = []
    var before = UInt64.max
    for _ in 0..<Self.mostStretches where views.count < Self.most {
      let slice = simulator.notifications(before: before, limit: Self.most - views.count, matching: query)
      views += slice.views
      before = slice.next
      if slice.isLast { break }
    }
    return views
  }

  private func row(_ view: NotificationView) -> String {
    let cells = [view.said, view.device ?? view.tokenText, view.app.topic, view.sentAs]
    return "<tr><td><a href=\"\(Markup.escaped(base))notifications/\(view.id)\">\(view.time)</a></td>"
      + Markup.element("td", view.verdict)
      + cells.map { "<td><bdi>\(Markup.escaped($0))</bdi></td>" }.joined() + "</tr>"
  }

  // MARK: One notification

  private func notification(_ id: String) -> String {
    let back = "<p><a href=\"\(Markup.escaped(base))\">Notifications</a></p>"
    guard let view = NotificationView.number(of: id).flatMap({ simulator.notification($0) }) else {
      return back + Markup.element("p", "There is no notification \(id).")
    }
    let checks = view.explanations.map { line in
      let words = [line.check, line.isPassed ? "passed" : "failed", line.detail, line.hint]
      return Markup.element("li", words.compactMap { $0 }.joined(separator: ": "))
    }
    let places = [
      "\(view.time)", view.device ?? view.tokenText, view.app.topic, view.sentAs,
      "\(view.connection)",
    ]
    return back + Markup.element("h1", "\(view.id): \(view.verdict)")
      + Markup.element(
        "p",
        places.filter { !$0.isEmpty }.joined(separator: ", ")
      )
      + "<h2>Judged</h2><ol>\(checks.joined())</ol>"
      + "<h2>Payload</h2>" + Markup.element("pre", String(decoding: view.payload, as: UTF8.self))
      + sent(view)
  }

  /// The notification as it was written: the headers of a request, or the bytes of a frame.
  private func sent(_ view: NotificationView) -> String {
    guard let request = view.request else {
      return "<h2>Bytes</h2>"
        + Markup.element("pre", AnnotatedHex.render(simulator.annotatedFrame(view.number)))
    }
    let lines = request.headers.map { "\($0.name): \($0.value)" }
    return "<h2>Headers</h2>" + Markup.element("pre", lines.joined(separator: "\n"))
  }
}

extension NotificationView {
  /// The outcome for people: the most exact word that there is.
  var verdict: String {
    guard let request else {
      return outcome == .rejected && status.rawValue > 0 ? "\(status.rawValue) \(status.name)" : outcome.words
    }
    guard let status = request.status else { return "\(outcome.words), unanswered" }
    guard outcome == .rejected else { return outcome.words }
    return (["\(status)", request.reason].compactMap { $0 }).joined(separator: " ")
  }

  /// The text of the alert, or what the payload has instead.
  fileprivate var said: String {
    guard let value = try? JSONValue.parse(payload) else { return "unreadable" }
    guard let alert = AlertText(value) else { return "no alert" }
    return alert.value.stringValue ?? alert.value.description
  }

  fileprivate var sentAs: String {
    if let request { return ["H2", request.pushType].compactMap { $0 }.joined(separator: " ") }
    return interface.command.map { "Command \($0)" } ?? ""
  }
}

extension Outcome {
  fileprivate var words: String {
    switch self {
    case .delivered: "Delivered"
    case .stored: "Stored"
    case .replaced: "Replaced"
    case .expired: "Expired in store"
    case .notStored: "Not stored"
    case .refused: "App removed"
    case .dropped: "Dropped by device"
    case .rejected: "Rejected"
    case .discarded: "Discarded unread"
    case .performed: "Performed"
    }
  }
}
