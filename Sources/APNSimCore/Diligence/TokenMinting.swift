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
  /// The last time of a new token, and since the last pause of twenty minutes: the new tokens, and the requests.
  private var newestAt = Timestamp(rawValue: 0)
  private var since = Timestamp(rawValue: 0)
  private var minted = 0
  private var requests = 0
  /// The findings before the last pause.
  private var earlier = AdviceTally()

  /// The most tokens that are told apart: a fleet of providers may take turns with tokens of their own.
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

/// The known tokens are those in order.
extension TokenMinting: KeptByMembers {
  static let members = Members(
    { last, order, newestAt, since, minted, requests, earlier in
      TokenMinting(
        last: last,
        known: Set(order),
        order: order,
        newestAt: newestAt,
        since: since,
        minted: minted,
        requests: requests,
        earlier: earlier
      )
    },
    \.last,
    \.order,
    \.newestAt,
    \.since,
    \.minted,
    \.requests,
    \.earlier
  )
}
