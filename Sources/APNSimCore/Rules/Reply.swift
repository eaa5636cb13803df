package import APNSimWire

/// A rule's answer to a notification, in place of the gateway's own judgement.
package struct Reply: Hashable, Sendable {
  /// The identifier that the error response carries.
  package enum Identifier: Hashable, Sendable {
    /// The notification's own; for status 10, that of the last accepted one.
    case right
    /// The right one with every bit turned: certainly another one.
    case wrong
    case zero
    case exactly(NotificationIdentifier)
  }

  /// Any byte, known or not.
  package var status: StatusCode
  package var identifier: Identifier
  /// The packet leaves once exactly this many further frames have been read and discarded, or when the provider
  /// ends its side: exact, not timed.
  package var afterFrames: Int
  /// The packet leaves this much simulated time later.
  package var delay: TimeSpan
  package var packet: Packet
  /// The connection is reset instead of closed in order; `isLost` resets it before the packet is written.
  package var resets: Bool
  package var isLost: Bool

  /// The packet as it is sent.
  package struct Packet: Hashable, Sendable {
    /// The number of the six bytes that are sent; fewer than 6 make a truncated packet.
    package var byteCount: Int
    /// In one TLS record, or two.
    package var cut: AnswerCut

    package init(byteCount: Int = ErrorResponse.byteCount, cut: AnswerCut = .none) {
      (self.byteCount, self.cut) = (byteCount, cut)
    }
  }

  package init(
    status: StatusCode,
    identifier: Identifier = .right,
    afterFrames: Int = 0,
    delay: TimeSpan = .zero,
    packet: Packet = Packet(),
    resets: Bool = false,
    isLost: Bool = false
  ) {
    self.status = status
    self.identifier = identifier
    self.afterFrames = afterFrames
    self.delay = delay
    self.packet = packet
    self.resets = resets
    self.isLost = isLost
  }
}

extension Reply: KeptByMembers {
  static let members = Members(
    Self.init,
    \.status,
    \.identifier,
    \.afterFrames,
    \.delay,
    \.packet,
    \.resets,
    \.isLost
  )
}

extension Reply.Packet: KeptByMembers {
  static let members = Members(Self.init, \.byteCount, \.cut)
}

extension Reply.Identifier: KeptByCases {
  enum Tag: UInt8, CaseIterable { case right, wrong, zero, exactly }

  func write(to state: inout StateWriter) {
    switch self {
    case .right: state.write(Tag.right)
    case .wrong: state.write(Tag.wrong)
    case .zero: state.write(Tag.zero)
    case .exactly(let identifier): state.write(Tag.exactly, identifier)
    }
  }

  init(_ tag: Tag, reading state: inout StateReader) throws(StateError) {
    self =
      switch tag {
      case .right: .right
      case .wrong: .wrong
      case .zero: .zero
      case .exactly: try state.read(Self.exactly)
      }
  }
}
