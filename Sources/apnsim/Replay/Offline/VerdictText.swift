import APNSimCore

/// What became of a notification, in words: `rejected 5 (tokenSize)`.
enum VerdictText {
  static func of(_ outcome: Outcome, _ status: UInt8, _ check: String? = nil) -> String {
    var words = outcome.description
    if status > 0 { words += " \(status)" }
    if let check { words += " (\(check))" }
    return words
  }
}
