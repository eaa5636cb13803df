import APNSimWire

/// The rule or the magic token that had a part in a notification's fate.
package struct StoryScript: Hashable, Sendable {
  /// `rule "gone"`, `its magic token`.
  package var name: String
  /// False where the service judged by itself, and it did something beside.
  package var decides: Bool

  /// As a remark.
  var words: String {
    decides ? "by \(name)" : name.hasPrefix("rule ") ? "\(name) fired" : "with \(name)"
  }
}

extension World {
  /// The part that a rule or its token had in a notification's fate; nil where there was none.
  func script(of record: NotificationRecord) -> StoryScript? {
    guard record.rule > 0 || record.magic else { return nil }
    let name = record.rule > 0 ? "rule \(ruleName(of: record))" : "its magic token"
    return StoryScript(name: name, decides: isDecidedByScript(record))
  }

  private func isDecidedByScript(_ record: NotificationRecord) -> Bool {
    switch record.entry {
    case .discarded: return true
    case .dropped: return record.problem == .none
    case .rejected where record.failed == .rule: return true
    // An app that a script removes is judged as one that is gone.
    case .rejected where record.interface == .http2 && RequestStatus(record).reason == .unregistered:
      let index = Int(record.rule) - 1
      return record.magic || book.entries.indices.contains(index) && book.entries[index].asksForReason
    default: return false
    }
  }
}
