/// Compares what became of the requests of one connection, recorded and replayed, and keeps only what differs.
///
/// Status and reason are compared, and `apns-id` as far as it is the same for every service: one that the provider chose
/// comes back, any other is made anew each time.
package struct StreamComparison: Sendable {
  /// A request whose fate is known on one side at most.
  private struct Exchange {
    var suppliedId: String?
    var recorded: StreamOutcome?
    var replayed: StreamOutcome?
    var isUnsendable = false
    var isSilent = false
    /// True for one that differs from whatever was recorded.
    var isUnserved: Bool { isUnsendable || isSilent }
  }

  private var exchanges: [UInt32: Exchange] = [:]
  /// Requests that fared the same.
  package private(set) var same = 0
  /// Requests whose recorded answer is not known.
  package private(set) var unknown = 0
  /// Requests that could not be sent, which differ from whatever was recorded.
  package private(set) var unsendable = 0
  /// Requests that were not answered, where the capture does not have the answers either.
  package private(set) var silent = 0
  /// The first differences, and the number of all.
  package private(set) var differences: [StreamDifference] = []
  package private(set) var differenceCount = 0
  /// The differences that nobody has taken yet, by stream, for those who take them.
  private var untaken: [UInt32: StreamDifference] = [:]
  private let isForTaking: Bool
  /// The most differences that are kept.
  package static let mostKept = 20

  /// - Parameter isForTaking: true where each difference is taken by ``takeDifference(of:)``.
  package init(isForTaking: Bool = false) { self.isForTaking = isForTaking }

  /// The streams whose fate is known on one side only.
  package var waiting: Int { exchanges.count }

  /// True for a request whose fate is known on one side only.
  package func isWaiting(_ stream: UInt32) -> Bool { exchanges[stream] != nil }

  /// Takes the difference of a request that fared otherwise.
  package mutating func takeDifference(of stream: UInt32) -> StreamDifference? {
    untaken.removeValue(forKey: stream)
  }

  /// True for a request whose recorded answer has no counterpart yet.
  package func isAwaited(_ stream: UInt32) -> Bool {
    guard let exchange = exchanges[stream], exchange.replayed == nil else { return false }
    if case .answered? = exchange.recorded { return true }
    return false
  }

  /// The streams on which nothing has come yet.
  package var unanswered: [UInt32] { exchanges.compactMap { $1.replayed == nil ? $0 : nil } }

  /// True where a request has no answer, neither recorded nor yet: it may still get one.
  package var hasSilent: Bool {
    exchanges.values.contains { exchange in
      if case .answered? = exchange.recorded { false } else { exchange.replayed == nil }
    }
  }

  /// A request begins.
  /// - Parameter recorded: nil where the capture tells it later, or never.
  package mutating func begin(_ stream: UInt32, suppliedId: String?, recorded: StreamOutcome?) {
    exchanges[stream] = Exchange(suppliedId: suppliedId, recorded: recorded)
  }

  /// The capture tells what became of a request; of an answer without a request it is nothing to compare.
  package mutating func note(recorded outcome: StreamOutcome, of stream: UInt32) {
    guard exchanges[stream] != nil else { return }
    exchanges[stream]?.recorded = outcome
    settle(stream)
  }

  package mutating func note(replayed outcome: StreamOutcome, of stream: UInt32) {
    guard exchanges[stream] != nil else { return }
    exchanges[stream]?.replayed = outcome
    settle(stream)
  }

  /// A request is nothing that can be sent, for a reason, which is a difference whatever became of it before.
  package mutating func note(unsendable reason: String, of stream: UInt32) {
    guard exchanges[stream] != nil else { return }
    unsendable += 1
    exchanges[stream]?.isUnsendable = true
    note(replayed: .unanswered("it could not be sent: \(reason)"), of: stream)
  }

  /// A request is not compared any more: its provider gave it up.
  package mutating func leave(_ stream: UInt32) {
    guard exchanges.removeValue(forKey: stream) != nil else { return }
    unknown += 1
  }

  /// Ends the connection.
  /// - Parameter isComplete: true where the capture has every answer, so that a request without one had none. Elsewhere
  ///   whatever comes is right, but not that nothing does.
  package mutating func finish(isComplete: Bool) {
    for (stream, exchange) in exchanges.sorted(by: { $0.key < $1.key }) {
      let replayed = exchange.replayed ?? .unanswered()
      exchanges[stream]?.replayed = replayed
      if exchange.recorded == nil {
        guard isComplete || replayed.isUnanswered else {
          leave(stream)
          continue
        }
        exchanges[stream]?.recorded = .unanswered(isComplete ? nil : "the capture does not have it")
        if !isComplete, !exchange.isUnsendable { setSilent(stream) }
      }
      settle(stream)
    }
  }

  private mutating func setSilent(_ stream: UInt32) {
    silent += 1
    exchanges[stream]?.isSilent = true
  }

  /// Compares a request of which both sides are known. One that had no answer may still get one until the end.
  private mutating func settle(_ stream: UInt32) {
    guard let exchange = exchanges[stream], let recorded = exchange.recorded, let replayed = exchange.replayed
    else { return }
    exchanges[stream] = nil
    guard exchange.isUnserved || !Self.isSame(recorded, replayed, suppliedId: exchange.suppliedId) else {
      same += 1
      return
    }
    differenceCount += 1
    let difference = StreamDifference(stream: stream, recorded: recorded, replayed: replayed)
    if isForTaking { untaken[stream] = difference }
    if differences.count < Self.mostKept { differences.append(difference) }
  }

  private static func isSame(_ one: StreamOutcome, _ other: StreamOutcome, suppliedId: String?) -> Bool {
    switch (one, other) {
    case (.answered(let one), .answered(let other)):
      guard one.status == other.status, one.reason == other.reason else { return false }
      return suppliedId == nil ? (one.id == nil) == (other.id == nil) : one.id == other.id
    case (.reset(let one), .reset(let other)): return one == other
    case (.unanswered, .unanswered): return true
    // Either says that the service did not take the request (RFC 9113, section 8.7).
    case (.goneAway, .reset("REFUSED_STREAM")), (.reset("REFUSED_STREAM"), .goneAway): return true
    default: return false
    }
  }
}
