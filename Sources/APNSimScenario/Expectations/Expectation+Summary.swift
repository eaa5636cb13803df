import APNSimCore
import APNSimWire

extension Expectation.Subject {
  /// What it is about, as a report shows it.
  var summary: String {
    switch self {
    case .notifications(let query):
      query.conditions.isEmpty ? "notifications" : "notifications with \(query.summary)"
    case .inbox(let device, let query):
      "inbox of \(device)" + (query.conditions.isEmpty ? "" : " with \(query.summary)")
    case .stored(let device): "stored for \(device)"
    case .feedback(let app): "feedback tuples" + (app.map { " of \($0)" } ?? "")
    case .badge(let device, let app): "badge on \(device)" + (app.map { " of \($0)" } ?? "")
    case .errors(let status, let identifier):
      "error responses" + (status.map { " of status \($0.rawValue)" } ?? "")
        + (identifier.map { " about \($0.hex)" } ?? "")
    }
  }
}
