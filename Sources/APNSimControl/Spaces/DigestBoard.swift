import APNSimCore
import APNSimWire
import Synchronization

/// Makes the digests of a simulator's journal: one for all of its readers that are at the same place and ask at the same
/// beat, so that further pages cost next to nothing.
final class DigestBoard: Sendable {
  private let simulator: Simulator
  private let last = Mutex<Shared?>(nil)

  /// A digest that several readers get.
  private struct Shared {
    var beat: Int
    var interval: Duration
    var after: UInt64
    var text: Text
  }

  /// A digest as it is sent.
  struct Text: Sendable {
    /// The last sequence number that it covers.
    var seq: UInt64
    /// One JSON object; nil where nothing happened.
    var json: [UInt8]?
    /// True if there was nothing more at that moment.
    var isLast: Bool
  }

  init(_ simulator: Simulator) { self.simulator = simulator }

  /// The digest of everything that happened after a sequence number.
  /// - Parameters:
  ///   - beat: the number of the interval in which it is asked for.
  func all(after seq: UInt64, _ beat: Int, of interval: Duration) -> Text {
    last.withLock { last in
      let isOfBeat = last.map { $0.beat == beat && $0.interval == interval } ?? false
      if let last, isOfBeat, last.after == seq { return last.text }
      // A reader that joins is brought to the place of the others, and goes on with them.
      let end = isOfBeat ? last?.text.seq : nil
      var digest = simulator.digest(after: seq, through: end)
      while !digest.isLast { digest.add(simulator.digest(after: digest.seq, through: end)) }
      let text = text(digest)
      if !isOfBeat { last = Shared(beat: beat, interval: interval, after: seq, text: text) }
      return text
    }
  }

  /// The digest of what matches, as much of it as may be looked at in one beat.
  func matching(_ query: CompiledQuery, after seq: UInt64) async -> Text {
    var digest = simulator.digest(after: seq, matching: query)
    for _ in 1..<Self.mostStretches where !digest.isLast {
      await Task.yield()
      digest.add(simulator.digest(after: digest.seq, matching: query))
    }
    return text(digest)
  }

  /// At most so many stretches of some milliseconds.
  private static let mostStretches = 8

  private func text(_ digest: JournalDigest) -> Text {
    guard !digest.isEmpty else { return Text(seq: digest.seq, json: nil, isLast: digest.isLast) }
    var writer = JSONWriter()
    // The newest is as it is now: the digest may be older by a moment.
    DigestAnswer(digest: digest, newest: digest.newest.reversed().compactMap { simulator.notification($0) })
      .write(to: &writer)
    return Text(seq: digest.seq, json: writer.bytes, isLast: digest.isLast)
  }
}
