import APNSimCore
import APNSimWire

/// Compares the bytes to one provider, recorded and replayed, and keeps only what differs.
///
/// Equal bytes are dropped in whole error responses or tuples, so that a difference is shown from the beginning of the
/// one in which it lies.
struct AnswerComparison {
  private let isFeedback: Bool
  private var recordedBytes = WaitingBytes()
  private var replayedBytes = WaitingBytes()
  private(set) var hasParted = false
  /// The most bytes that are shown of either side, and by which the recorded one may be ahead: a provider does not get
  /// so many before the replay reaches their cause. The simulator bounds how far the replay is ahead.
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

  /// The recorded and the replayed bytes from the first difference on; only the beginning of many.
  var recorded: [UInt8] { shown(recordedBytes) }
  var replayed: [UInt8] { shown(replayedBytes) }

  /// True where both sides were the same, once nothing more comes.
  func isSame() -> Bool { !hasParted && recordedBytes.count == replayedBytes.count }

  /// True where the replay differs, or lacks something that was recorded.
  var lacks: Bool { hasParted || recordedBytes.count > replayedBytes.count }

  /// The number of bytes that wait for the other side, or to be shown.
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
    // One more byte than is shown marks that there is more.
    recordedBytes.cut(to: Self.most + 1)
    replayedBytes.cut(to: Self.most + 1)
  }

  private func shown(_ side: WaitingBytes) -> [UInt8] {
    let beginning = side.rest.prefix(Self.most)
    let whole = side.count > Self.most ? wholeUnits(of: beginning) : 0
    return Array(whole > 0 ? beginning.prefix(whole) : beginning)
  }

  /// The length of the whole error responses or tuples at the beginning.
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
