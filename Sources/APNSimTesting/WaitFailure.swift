import APNSimCore
import APNSimServer
import APNSimWire

extension APNSimulator {
  /// A wait in vain. `description` says what was expected, how many came, and what came nearest:
  ///
  /// ```text
  /// expected at least 1 notification with alert~"Order", found 0 within 5.0s
  /// near miss n57
  ///   payload.aps.alert: expected contains "Order", found "order #17"
  /// ```
  public struct WaitFailure: Error, Sendable, CustomStringConvertible {
    /// The notifications that matched, oldest first: at most a hundred.
    public let notifications: [Notification]
    public let description: String

    init(_ outcome: WaitRun.Outcome, _ terms: WaitTerms, _ query: Query, stopped: Bool) {
      notifications = outcome.notifications.map { Notification($0) }
      var lines = [Self.heading(outcome, terms, query)]
      if terms.count.atMost.map({ outcome.matched > $0 }) ?? false {
        lines += notifications.map { "  \($0)" }
      }
      for miss in outcome.nearMisses {
        lines.append("near miss \(miss.id)")
        lines += miss.differences.map { "  \($0.path): expected \($0.expected), found \($0.found)" }
      }
      if outcome.matched == 0, outcome.nearMisses.isEmpty, terms.count.atLeast ?? 0 > 0 {
        lines.append("no notification has come at all")
      }
      if stopped { lines.append("the simulator was stopped meanwhile") }
      description = lines.joined(separator: "\n")
    }

    private static func heading(_ outcome: WaitRun.Outcome, _ terms: WaitTerms, _ query: Query) -> String {
      let noun = terms.count.isOne ? "notification" : "notifications"
      let condition = query.description.isEmpty ? "" : " with \(query)"
      let quiet = terms.quietFor.map { ", then quiet for \($0)" } ?? ""
      let unseen =
        outcome.missed > 0
        ? "; \(Number.counted(Int(clamping: outcome.missed), "earlier notification")) had left the history"
        : ""
      return "expected \(terms.count) \(noun)\(condition)\(quiet), found \(outcome.matched) within "
        + "\(WaitRun.seconds(outcome.waited))\(unseen)"
    }
  }
}
