internal import APNSimCore
internal import APNSimWire

/// What went to one provider, recorded and replayed, keeping only what differs.
///
/// What both sides have is let go of in whole error responses or tuples, so that a difference is shown from the
/// beginning of the one it lies in.
struct AnswerComparison {
  private let isFeedback: Bool
  private var recordedBytes = WaitingBytes()
  private var replayedBytes = WaitingBytes()
  private(set) var hasParted = false
  /// The most bytes that are shown of either side, and that the recorded one may be ahead: a provider is not answered
  /// so much before the replay comes to what brings it about. How much the replay may be ahead, the simulator decides.
  private static let most = 4096

  init(isFeedback: Bool) { self.isFeedback = isFeedback }

  mutating func addRecorded(_ bytes: some Sequence<UInt8>) {
    guard !hasParted || recordedBytes.count <= Self.most else { return }
    recordedBytes.bytes += bytes
    settle()
  }

  mutating func addReplayed(_ bytes: some Sequence<UInt8>) {
    guard !hasParted || replayedBytes.count <= Self.most else { return }
    replayedBytes.bytes += bytes
    settle()
  }

  /// What was recorded from where the two part, and what was replayed; of much, its beginning.
  var recorded: [UInt8] { shown(recordedBytes) }
  var replayed: [UInt8] { shown(replayedBytes) }

  /// Nothing more comes; true where both sides were the same.
  func isSame() -> Bool { !hasParted && recordedBytes.count == replayedBytes.count }

  /// Whether the replay differs, or lacks something that was recorded.
  var lacks: Bool { hasParted || recordedBytes.count > replayedBytes.count }

  /// How many bytes wait for the other side, or to be shown.
  var waitingByteCount: Int { recordedBytes.count + replayedBytes.count }

  private mutating func settle() {
    if !hasParted {
      let count = min(recordedBytes.count, replayedBytes.count)
      let common = recordedBytes.common(with: replayedBytes, of: count)
      hasParted = common < count
      let whole = wholeUnits(of: recordedBytes.rest.prefix(common))
      recordedBytes.drop(whole)
      replayedBytes.drop(whole)
      if recordedBytes.count - replayedBytes.count > Self.most { hasParted = true }
    }
    guard hasParted else { return }
    // One more byte than is shown tells that there is more.
    recordedBytes.cut(to: Self.most + 1)
    replayedBytes.cut(to: Self.most + 1)
  }

  private func shown(_ side: WaitingBytes) -> [UInt8] {
    let beginning = side.rest.prefix(Self.most)
    let whole = side.count > Self.most ? wholeUnits(of: beginning) : 0
    return Array(whole > 0 ? beginning.prefix(whole) : beginning)
  }

  /// How many bytes the whole error responses or tuples at the beginning have.
  private func wholeUnits(of bytes: ArraySlice<UInt8>) -> Int {
    guard isFeedback else { return bytes.count - bytes.count % ErrorResponse.byteCount }
    var end = bytes.startIndex
    while bytes.endIndex - end >= FeedbackTuple.headerByteCount {
      let next = end + FeedbackTuple.headerByteCount + Int(bytes[end + 4]) << 8 + Int(bytes[end + 5])
      guard next <= bytes.endIndex else { break }
      end = next
    }
    return end - bytes.startIndex
  }
}
