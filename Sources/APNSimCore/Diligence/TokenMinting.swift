import DequeModule

/// The provider tokens of one provider's requests, as far as they are made anew for each push or nearly so.
///
/// A token is new when none of the latest had its bytes. That a connection of its own hides it from the service, which counts
/// updates by connection, does not hide it here.
struct TokenMinting: Sendable {
  /// The latest token, and the latest of all, oldest first.
  private var last: UInt64?
  private var known: Set<UInt64> = []
  private var order: Deque<UInt64> = []
  /// When a token was new last, and since when there has been no pause of twenty minutes: the new ones, and the requests.
  private var newestAt = Timestamp(rawValue: 0)
  private var since = Timestamp(rawValue: 0)
  private var minted = 0
  private var requests = 0
  /// What was found before the last pause.
  private var earlier = AdviceTally()

  /// So many are told apart: a fleet of providers may take turns with tokens of their own.
  private static let mostKnown = 1024

  /// A request came with a token.
  mutating func sent(_ token: UInt64, at now: Timestamp, limits: DiligenceLimits) {
    requests &+= 1
    guard token != last else { return }
    last = token
    guard known.insert(token).inserted else { return }
    order.append(token)
    if order.count > Self.mostKnown { known.remove(order.removeFirst()) }
    if minted == 0 || now - newestAt >= limits.tokenAge {
      earlier = tally(limits)
      (minted, requests, since) = (0, 1, now)
    }
    minted &+= 1
    newestAt = now
  }

  /// The tokens that were made anew, where they were many and one for at least every second request.
  func tally(_ limits: DiligenceLimits) -> AdviceTally {
    guard minted > limits.mintedTokens, minted &* 2 >= requests else { return earlier }
    var tally = earlier
    tally.add(minted, amount: 0, from: since, to: newestAt)
    return tally
  }
}

extension TokenMinting: Kept {
  /// Those that are known are those in order.
  func write(to state: inout StateWriter) {
    last.write(to: &state)
    order.write(to: &state)
    newestAt.write(to: &state)
    since.write(to: &state)
    minted.write(to: &state)
    requests.write(to: &state)
    earlier.write(to: &state)
  }

  init(reading state: inout StateReader) throws(StateError) {
    last = try state.read()
    order = try state.read()
    known = Set(order)
    newestAt = try state.read()
    since = try state.read()
    minted = try state.read()
    requests = try state.read()
    earlier = try state.read()
  }
}
