import APNSimCapture
import APNSimWire

/// The part that a replay could not compare, while it compared the rest.
extension Uncompared {
  /// The noun alone.
  var subject: String {
    switch self {
    case .gaps: "the answers on connections with gaps"
    case .unseen: "the answers on connections recorded one way"
    case .open: "the last answers on connections without an end"
    case .unexplained: "feedback lists"
    }
  }

  /// The member of JSON that has their number.
  var key: StaticString {
    switch self {
    case .gaps: "uncomparedConnections"
    case .unseen: "unrecordedConnections"
    case .open: "openConnections"
    case .unexplained: "unexplainedFeedbackLists"
    }
  }

  /// The amount, and the reason why it was not compared.
  func reason(_ count: Int) -> String {
    let noun = self == .unexplained ? "feedback list" : "connection"
    let why =
      switch self {
      case .gaps: ": some of \(count == 1 ? "its" : "their") bytes are missing"
      case .unseen: ": the capture does not have what came back"
      case .open: " to the end, which the capture does not show"
      case .unexplained:
        ": the capture does not say what was in \(count == 1 ? "it" : "them") before (a scenario's "
          + #""feedback" does: --scenario FILE)"#
      }
    return "\(Number.counted(count, noun)) not compared\(why)"
  }
}

extension ReplayResult {
  /// The part that was not compared, with the reasons.
  var uncomparedParts: [(subject: String, reason: String)] {
    Uncompared.allCases.compactMap { part in
      // A capture without any answers says that instead.
      guard let count = tally.uncompared[part] else { return nil }
      guard part != .unseen || tally.hasRecordedAnswers else { return nil }
      return (part.subject, part.reason(count))
    }
  }
}
