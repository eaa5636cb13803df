import DequeModule

/// The provider tokens that were seen where the simulated clock is not the provider's, by when they were first.
///
/// A provider lives by the real clock. A token is as old at first sight as the nearer of the two clocks says; from then on it
/// grows older with simulated time.
package struct FirstSights: Sendable {
  /// The most tokens that are told apart; the oldest sight gives way.
  package static let most = 65_536

  /// The simulated times at which tokens were issued, taken so, by the numbers that tell tokens apart.
  private var issued: [UInt64: Timestamp] = [:]
  private var order: Deque<UInt64> = []

  package init() {}

  package var count: Int { order.count }

  /// The age of a token now; nil for one that has not been seen where the clocks differ.
  package func age(of token: UInt64, at now: Timestamp) -> TimeSpan? {
    issued.isEmpty ? nil : issued[token].map { now - $0 }
  }

  /// Takes note of a token.
  /// - Parameters:
  ///   - issuedAt: its `iat`.
  ///   - now: the simulated time, and `real` that of the provider's clock.
  /// - Returns: its age.
  package mutating func see(
    _ token: UInt64,
    issuedAt: Timestamp,
    at now: Timestamp,
    real: Timestamp
  ) -> TimeSpan {
    let (simulated, provider) = (now - issuedAt, real - issuedAt)
    let isSimulatedNearer = simulated.milliseconds.magnitude <= provider.milliseconds.magnitude
    let age = isSimulatedNearer ? simulated : provider
    if order.count >= Self.most { issued[order.removeFirst()] = nil }
    issued[token] = now + -age
    order.append(token)
    return age
  }
}

extension FirstSights: Kept {
  func write(to state: inout StateWriter) {
    state.write(count: order.count)
    for token in order {
      token.write(to: &state)
      (issued[token] ?? Timestamp(rawValue: 0)).write(to: &state)
    }
  }

  init(reading state: inout StateReader) throws(StateError) {
    for _ in 0..<(try state.count()) {
      let token = try state.raw(UInt64.self)
      guard order.count < Self.most, issued.updateValue(try state.read(), forKey: token) == nil else {
        throw state.error("a token was expected that has not been seen before it")
      }
      order.append(token)
    }
  }
}
