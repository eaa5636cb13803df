package import APNSimCore
package import APNSimWire

/// What happened in a capture as its providers would tell it: which notifications, in which order on each connection,
/// and what became of them.
package struct CaptureDigest: Sendable {
  /// One notification.
  package struct Item: Sendable {
    /// `n57`, without its letter; counted where the capture has no numbers, 0 for what a journal does not call a
    /// notification.
    package var number: UInt64
    package var connection: ConnectionID
    /// Since the capture's first line.
    package var time: TimeSpan
    package var topic: String
    package var identifier: NotificationIdentifier?
    package var token: [UInt8]
    /// Its first byte.
    package var command: UInt8
    /// Nil where the frame has none.
    package var priority: UInt8?
    package var expiry: UInt32?
    /// Whether it is a frame: something else can stand where one should begin.
    package var isFrame: Bool
    /// Whether it ends before its fields do.
    package var isCutOff: Bool
    /// What has become of it in the end; nil where the capture does not say.
    package var outcome: Outcome?
    package var status: UInt8

    /// What it is called: by its identifier, where it has one.
    package var label: String {
      if let identifier { return identifier.hex }
      return isFrame ? "command \(command)" : "no frame (command \(Hex.encode([command])))"
    }
  }

  /// An error response, or what came of one before its connection ended.
  package struct ErrorItem: Hashable, Sendable {
    package var topic: String
    package var bytes: [UInt8]

    /// What it says, where it is whole.
    package var response: ErrorResponse? { ErrorResponse(bytes: bytes) }
  }

  /// A feedback tuple that was read, without its time.
  package struct TupleItem: Hashable, Sendable {
    package var topic: String
    package var token: [UInt8]
  }

  package internal(set) var items = DigestItems()
  package internal(set) var errors: [ErrorItem] = []
  package internal(set) var tuples: [TupleItem] = []
  package internal(set) var connections = 0
  /// Gateway connections of which bytes from the provider are missing: what stands behind a gap is left out up to where
  /// frames were found again.
  package internal(set) var broken: Set<ConnectionID> = []
  package internal(set) var damage: CaptureDamage?
  package internal(set) var gaps = CaptureGaps()
  package internal(set) var isImported: Bool
  package internal(set) var isRedacted: Bool
  /// Whether payloads are told apart by no more than redaction leaves of them.
  package let isFilled: Bool
  /// What else a reader should know, a line each.
  package internal(set) var notes: [String] = []

  /// How many of the items are frames that are whole, or that the gateway has judged: something else can stand where one
  /// should begin, and what is cut off is none.
  package var notifications: Int { items.entries.count { $0.isNotification } }

  init(isImported: Bool, isRedacted: Bool, isFilled: Bool) {
    (self.isImported, self.isRedacted, self.isFilled) = (isImported, isRedacted, isFilled)
  }

  /// Reads a whole capture.
  /// - Parameters:
  ///   - isFilled: whether it is compared with a redacted one.
  ///   - progress: is told now and then how much of the file has been read, from 0 to 1, where that is known.
  package init(_ reader: CaptureReader, isFilled: Bool = false, progress: ((Double) -> Void)? = nil) {
    var reading = DigestReading(reader, isFilled: isFilled)
    self = reading.run(progress: progress)
  }
}
