/// The names of the files in a directory of state. Files of any other name are somebody else's.
enum StateFileName: Hashable {
  case lock
  case identity
  case identityDraft
  case log(UInt64)
  case logDraft(UInt64)
  case snapshot(UInt64)
  case snapshotDraft(UInt64)

  private static let draft = ".new"
  /// The largest number of inputs and segments; nothing comes near it, and one more is a number too.
  static let most: UInt64 = 1 << 62

  init?(_ name: String) {
    switch name {
    case "lock": self = .lock
    case "state.json": self = .identity
    case "state.json.new": self = .identityDraft
    default:
      let isDraft = name.hasSuffix(Self.draft)
      let stem = isDraft ? String(name.dropLast(Self.draft.count)) : name
      let parts = stem.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      // As we write it: `log-01` and `log-+1` are not ours.
      guard parts.count == 2, let number = UInt64(parts[1]), String(number) == parts[1], number <= Self.most
      else { return nil }
      switch parts[0] {
      case "log": self = isDraft ? .logDraft(number) : .log(number)
      case "snapshot": self = isDraft ? .snapshotDraft(number) : .snapshot(number)
      default: return nil
      }
    }
  }

  var text: String {
    switch self {
    case .lock: "lock"
    case .identity: "state.json"
    case .identityDraft: "state.json\(Self.draft)"
    case .log(let number): "log-\(number)"
    case .logDraft(let number): "log-\(number)\(Self.draft)"
    case .snapshot(let number): "snapshot-\(number)"
    case .snapshotDraft(let number): "snapshot-\(number)\(Self.draft)"
    }
  }

  var isDraft: Bool {
    switch self {
    case .identityDraft, .logDraft, .snapshotDraft: true
    case .lock, .identity, .log, .snapshot: false
    }
  }
}
