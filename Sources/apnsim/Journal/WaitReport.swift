import APNSimWire

/// A wait's result: the notifications that matched, and the nearest misses with what differs in them.
struct WaitReport {
  let isSatisfied: Bool
  let matched: Int
  let waited: String
  /// Notifications that came before and could not be looked at.
  private let missed: Int
  private let wanted: String
  private let quietFor: String?
  private let notifications: [JSONValue]
  private let nearMisses: [JSONValue]

  /// - Parameters:
  ///   - wanted: how many, in words: `at least 3`.
  ///   - quietFor: how long nothing may match then: `200ms`.
  init(_ answer: JSONValue, wanted: String, quietFor: String? = nil) {
    isSatisfied = answer.member("satisfied")?.boolValue == true
    matched = answer.member("matched")?.intValue ?? 0
    missed = answer.member("missed")?.intValue ?? 0
    waited = answer.text("waited")
    notifications = answer.member("notifications")?.arrayValue ?? []
    nearMisses = answer.member("nearMisses")?.arrayValue ?? []
    self.wanted = wanted
    self.quietFor = quietFor
  }

  /// The notifications that matched, and below them what came nearest.
  func lines(_ style: Style) -> [String] {
    var lines = notifications.map { NotificationSummary.text($0, style) }
    if matched > notifications.count, !notifications.isEmpty {
      lines.append(style.paint("… \(Number.counted(matched, "notification")) in all", .dim))
    }
    guard !isSatisfied else { return lines }
    for miss in nearMisses {
      lines.append("\(style.paint("near miss", .yellow))  \(miss.text("id"))")
      for difference in miss.member("differences")?.arrayValue ?? [] {
        lines.append(
          "  \(difference.text("path")): expected \(difference.text("expected")), found \(difference.text("found"))"
        )
      }
    }
    return lines
  }

  /// The reason of a failure, in one line.
  var failure: String {
    let time = waited.isEmpty ? "" : " within \(waited)"
    let quiet = quietFor.map { ", then quiet for \($0)" } ?? ""
    let count = "expected \(wanted)\(wanted == "none" ? "" : " to match")\(quiet)"
    let unseen =
      missed > 0
      ? "; \(Number.counted(missed, "earlier notification")) had left the history (serve --keep), or there was no "
        + "time to look at them"
      : ""
    return "\(count), found \(Number.grouped(matched))\(time)\(unseen)"
  }
}
