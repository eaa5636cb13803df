import APNSimCore
import APNSimWire

extension APNSimulator {
  /// A notification as the provider sent it, and what became of it.
  public struct Notification: Sendable, Identifiable, CustomStringConvertible {
    private let view: NotificationView

    init(_ view: NotificationView) { self.view = view }

    /// Its name in the journal and in queries: `n57`.
    public var id: String { view.id }

    /// The outcome so far.
    public var outcome: Outcome { Outcome(view.outcome) }

    /// The app's bundle ID.
    public var topic: String { view.app.topic }

    /// In hex digits, or the text that the path of a request has in their place.
    public var deviceToken: String { view.tokenText }

    /// The name of the device whose token it is; nil where there is none.
    public var device: String? { view.device }

    /// The payload as sent.
    public var payload: [UInt8] { view.payload }

    /// The alert's text: the alert itself, or its `body`.
    public var alert: String? { self["alert"] }

    /// Over HTTP/2 the status of the answer, such as 200 or 410, nil as long as there is none; over the binary interface the
    /// status code, 0 for a good one.
    public var status: Int? { view.request.map { $0.status.map(Int.init) } ?? Int(view.status.rawValue) }

    /// The reason of the answer over HTTP/2, such as `Unregistered`.
    public var reason: String? { view.request?.reason }

    /// The value at a path of the notification object, as queries name it: `priority`, `apnsId`, `collapseId`, `pushType`,
    /// `payload.aps.alert.title`. A text as it is, anything else as JSON; nil for nothing.
    public subscript(path: String) -> String? {
      view.value(at: path).map { $0.stringValue ?? $0.description }
    }

    /// The checks and steps, in order: the check, whether it was passed, and why.
    public var explanation: [String] {
      view.explanations.map { line in
        "\(line.check): \(line.isPassed ? "ok" : "failed")" + (line.detail.map { ", \($0)" } ?? "")
          + (line.hint.map { " (\($0))" } ?? "")
      }
    }

    /// One line: `n57 delivered to alice: {"aps":{"alert":"hi"}}`.
    public var description: String {
      let answer = reason.map { " \(status.map { "\($0) " } ?? "")\($0)" } ?? ""
      let place = device.map { " to \($0)" } ?? ""
      return "\(id) \(outcome)\(answer)\(place): \(String(decoding: payload, as: UTF8.self))"
    }
  }

  /// The notifications that match, oldest first: those since the last reset that are still in the history.
  /// - Throws: ``TextError`` for a query that is not understood.
  public func notifications(matching query: Query = "") throws -> [Notification] {
    let compiled = CompiledQuery(try query.read())
    var found: [Notification] = []
    var next: UInt64 = 1
    while true {
      let slice = simulator.notifications(from: next, limit: .max, matching: compiled)
      found += slice.views.map { Notification($0) }
      next = slice.next
      if slice.isLast { return found }
    }
  }
}
