/// The settings that bear on a request and its answer.
package struct RequestRules: Hashable, Sendable {
  /// The quirks of HTTP/2 that a single request shows.
  package struct Quirks: OptionSet, BitwiseCopyable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A background push with an explicit priority of 10 is accepted and dropped.
    package static let backgroundPriority10 = Quirks(rawValue: 1 << 0)
    /// A background push without a priority is BadPriority.
    package static let backgroundNeedsPriority = Quirks(rawValue: 1 << 1)
    /// Reasons have the names of the documents.
    package static let documentedReasons = Quirks(rawValue: 1 << 2)
    /// An unknown channel is BadChannelId, whatever it looks like.
    package static let unknownChannelBad = Quirks(rawValue: 1 << 3)
    /// Errors have a `content-type`.
    package static let contentTypeOnErrors = Quirks(rawValue: 1 << 4)
  }

  package var quirks: Quirks
  package var order: CheckOrder
  /// The values of `apns-priority` that a broadcast takes, as a set of bits.
  package var broadcastPriorities = PushType.broadcastPriorities

  package init(quirks: Quirks = [], order: CheckOrder = .standard) {
    self.quirks = quirks
    self.order = order
  }

  /// The values of `apns-priority` that a request takes, as a set of bits.
  func priorities(of request: Request) -> UInt16 {
    request.isBroadcast ? broadcastPriorities : request.effectivePushType.row.priorities
  }
}
