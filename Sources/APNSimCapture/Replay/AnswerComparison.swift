import APNSimCore
import APNSimWire

/// Compares the bytes to one provider, recorded and replayed, and keeps only what differs.
///
/// Equal bytes are dropped in whole error responses or tuples, so that a difference is shown from the beginning of the
/// one in which it lies.
package struct AnswerComparison {
  private let isFeedback: Bool
  /// True where the times of feedback tuples are not compared.
  private let ignoresTimes: Bool
  /// True where a tuple that is the same but for its time was found.
  package private(set) var hasOtherTimes = false
  /// The same bytes so far, and the number of error responses or tuples in them.
  private var sameBytes = 0
  private var sameUnits = 0
  /// The numbers of bytes that came after a difference and are not kept.
  private var unkeptRecorded = 0
  private var unkeptReplayed = 0
  private var recordedBytes = WaitingBytes()
  private var replayedBytes = WaitingBytes()
  private(set) var hasParted = false
  /// The most bytes that are shown of either side, and by which the recorded one may be ahead: a provider does not get
  /// so many before the replay reaches their cause. The simulator bounds how far the replay is ahead.
  private static let most = AnswerBytes.most

  init(isFeedback: Bool) { (self.isFeedback, ignoresTimes) = (isFeedback, false) }

  /// Compares a whole answer with that of another service, whose feedback has times of its own, which are not compared.
  /// A tuple that is cut off by the end of a list is left out.
  /// - Parameter isOverflowing: true where the replayed answer goes on, and was not read to its end.
  package init(recorded: [UInt8], replayed: [UInt8], isFeedback: Bool, isOverflowing: Bool) {
    (self.isFeedback, ignoresTimes) = (isFeedback, isFeedback)
    // The recorded side may be ahead only by so much.
    addReplayed(
      isFeedback && !isOverflowing ? replayed.prefix(wholeUnits(of: replayed[...]).bytes) : replayed[...]
    )
    addRecorded(isFeedback ? recorded.prefix(wholeUnits(of: recorded[...]).bytes) : recorded[...])
  }

  mutating func addRecorded(_ bytes: some Collection<UInt8>) {
    guard !hasParted || recordedBytes.count <= Self.most else { return unkeptRecorded += bytes.count }
    recordedBytes.bytes += bytes
    settle()
  }

  mutating func addReplayed(_ bytes: some Collection<UInt8>) {
    guard !hasParted || replayedBytes.count <= Self.most else { return unkeptReplayed += bytes.count }
    replayedBytes.bytes += bytes
    settle()
  }

  /// True where both sides were the same, once nothing more comes.
  package func isSame() -> Bool { !hasParted && recordedBytes.count == replayedBytes.count }

  /// True where the replay differs, or lacks something that was recorded.
  var lacks: Bool { hasParted || recordedBytes.count > replayedBytes.count }

  /// The number of bytes that wait for the other side, or to be shown.
  var waitingByteCount: Int { recordedBytes.count + replayedBytes.count }

  /// The difference, once nothing more comes; nil where both services behaved the same.
  /// - Parameter otherEnd: the difference of the ends, which shows where the answers are the same.
  package func difference(_ otherEnd: @autoclosure () -> EndDifference?) -> ConnectionDifference? {
    isSame() ? otherEnd().map { .end($0) } : .answer(answerDifference)
  }

  /// The two sides from the first difference on.
  var answerDifference: AnswerDifference {
    AnswerDifference(
      sameBytes: sameBytes,
      sameUnits: sameUnits,
      recorded: shown(recordedBytes, unkeptRecorded),
      replayed: shown(replayedBytes, unkeptReplayed)
    )
  }

  private mutating func settle() {
    if !hasParted {
      let count = min(recordedBytes.count, replayedBytes.count)
      let common =
        ignoresTimes ? commonBesideTimes(of: count) : recordedBytes.common(with: replayedBytes, of: count)
      hasParted = common < count
      let whole = wholeUnits(of: recordedBytes.rest.prefix(common))
      sameBytes += whole.bytes
      sameUnits += whole.units
      recordedBytes.drop(whole.bytes)
      replayedBytes.drop(whole.bytes)
      if recordedBytes.count - replayedBytes.count > Self.most { hasParted = true }
    }
    guard hasParted else { return }
    // One more byte than is shown marks that there is more.
    unkeptRecorded += recordedBytes.cut(to: Self.most + 1)
    unkeptReplayed += replayedBytes.cut(to: Self.most + 1)
  }

  /// The length of the common beginning of both sides, within the first `count` bytes, whatever the times of tuples.
  private mutating func commonBesideTimes(of count: Int) -> Int {
    var (recorded, replayed) = (recordedBytes.rest.prefix(count), replayedBytes.rest.prefix(count))
    while !recorded.isEmpty {
      let size = tupleSize(at: recorded) ?? recorded.count
      let (tuple, other) = (recorded.prefix(size), replayed.prefix(size))
      let time = min(Self.timeByteCount, tuple.count)
      let common = zip(tuple.dropFirst(time), other.dropFirst(time)).prefix { $0 == $1 }.count
      guard time + common == tuple.count else { return count - recorded.count + time + common }
      if !tuple.elementsEqual(other) { hasOtherTimes = true }
      (recorded, replayed) = (recorded.dropFirst(size), replayed.dropFirst(size))
    }
    return count
  }

  private func shown(_ side: WaitingBytes, _ unkept: Int) -> AnswerBytes {
    let beginning = side.rest.prefix(Self.most)
    let whole = side.count > Self.most ? wholeUnits(of: beginning).bytes : 0
    return AnswerBytes(
      beginning: whole > 0 ? beginning.prefix(whole) : beginning,
      count: side.count + unkept,
      isFeedback: isFeedback
    )
  }

  /// The whole error responses or tuples at the beginning: their length in bytes, and their number.
  private func wholeUnits(of bytes: ArraySlice<UInt8>) -> (bytes: Int, units: Int) {
    guard isFeedback else {
      let units = bytes.count / ErrorResponse.byteCount
      return (units * ErrorResponse.byteCount, units)
    }
    var (rest, units) = (bytes, 0)
    while let size = tupleSize(at: rest) {
      rest = rest.dropFirst(size)
      units += 1
    }
    return (bytes.count - rest.count, units)
  }

  /// The length of a tuple's time, in bytes.
  private static let timeByteCount = 4

  /// The length of the whole tuple at the beginning, in bytes; nil where it is incomplete.
  private func tupleSize(at bytes: ArraySlice<UInt8>) -> Int? {
    let start = bytes.startIndex
    guard bytes.count >= FeedbackTuple.headerByteCount else { return nil }
    let size = FeedbackTuple.headerByteCount + Int(bytes[start + 4]) << 8 + Int(bytes[start + 5])
    return size <= bytes.count ? size : nil
  }
}
