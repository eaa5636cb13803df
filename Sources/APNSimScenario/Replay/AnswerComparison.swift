internal import APNSimCore

/// What went to one provider, recorded and replayed, keeping only what differs in length.
struct AnswerComparison {
  private(set) var recorded: [UInt8] = []
  private(set) var replayed: [UInt8] = []
  private(set) var hasParted = false
  /// The most bytes that are kept of either side.
  private static let most = 4096

  mutating func addRecorded(_ bytes: some Sequence<UInt8>) {
    recorded += bytes
    settle()
  }

  mutating func addReplayed(_ bytes: some Sequence<UInt8>) {
    replayed += bytes
    settle()
  }

  /// Nothing more comes; true where both sides were the same.
  func isSame() -> Bool { !hasParted && recorded.isEmpty && replayed.isEmpty }

  /// Whether the replay differs, or lacks something that was recorded.
  var lacks: Bool { hasParted || !recorded.isEmpty }

  private mutating func settle() {
    if !hasParted {
      let count = min(recorded.count, replayed.count)
      guard count > 0 else { return }
      if recorded.prefix(count) == replayed.prefix(count) {
        recorded.removeFirst(count)
        replayed.removeFirst(count)
      } else {
        hasParted = true
      }
    }
    guard hasParted else { return }
    recorded = Array(recorded.prefix(Self.most))
    replayed = Array(replayed.prefix(Self.most))
  }
}
