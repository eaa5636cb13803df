package import APNSimCore
package import APNSimWire

/// The content of a capture from its providers' view: the notifications, their order on each connection, and their
/// outcomes.
package struct CaptureDigest: Sendable {
  /// One notification.
  package struct Item: Sendable {
    /// The number of `n57`; counted where the capture has no numbers, 0 for bytes that a journal does not call a
    /// notification.
    package var number: UInt64
    package var connection: ConnectionID
    /// The time since the capture's first line.
    package var time: TimeSpan
    package var topic: String
    package var identifier: NotificationIdentifier?
    package var token: [UInt8]
    /// Its first byte.
    package var command: UInt8
    /// Nil where the frame has none.
    package var priority: UInt8?
    package var expiry: UInt32?
    /// False for bytes that are no frame where one should begin.
    package var isFrame: Bool
    /// True for a frame that ends before its fields do.
    package var isCutOff: Bool
    /// The request's own part; nil for a frame.
    package var request: RequestItem?
    /// The final outcome; nil where the capture has none.
    package var outcome: Outcome?
    package var status: UInt8

    /// The name in reports: its identifier, where it has one.
    package var label: String {
      if let request {
        return request.suppliedId.map { "apns-id \($0)" } ?? "\(request.method) \(request.path)"
      }
      if let identifier { return identifier.hex }
      return isFrame ? "command \(command)" : "no frame (command \(Hex.encode([command])))"
    }
  }

  /// An error response, or the part of one that came before its connection ended.
  package struct ErrorItem: Hashable, Sendable {
    package var topic: String
    package var bytes: [UInt8]

    /// The status, of a whole one.
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
  /// Answers whose requests the capture does not have.
  package internal(set) var answersWithoutRequest = 0
  /// Gateway connections with missing bytes of the provider: the bytes after a gap are left out up to the place where
  /// frames were found again.
  package internal(set) var broken: Set<ConnectionID> = []
  package internal(set) var damage: CaptureDamage?
  package internal(set) var gaps = CaptureGaps()
  package internal(set) var isImported: Bool
  package internal(set) var isRedacted: Bool
  /// True where payloads are compared only by what redaction leaves of them.
  package let isFilled: Bool
  /// Notes for the reader, a line each.
  package internal(set) var notes: [String] = []

  /// The number of items that are whole frames, or that the gateway has judged.
  /// True for requests alone, which have no error responses.
  package var hasOnlyRequests: Bool {
    !items.requests.isEmpty && errors.isEmpty && items.entries.allSatisfy { $0.request > 0 }
  }

  package var notifications: Int { items.entries.count { $0.isNotification } }

  init(isImported: Bool, isRedacted: Bool, isFilled: Bool) {
    (self.isImported, self.isRedacted, self.isFilled) = (isImported, isRedacted, isFilled)
  }

  /// Reads a whole capture.
  /// - Parameters:
  ///   - isFilled: true for a comparison with a redacted capture.
  ///   - progress: gets the part of the file that has been read, from 0 to 1, now and then, where it is known.
  package init(_ reader: CaptureReader, isFilled: Bool = false, progress: ((Double) -> Void)? = nil) {
    var reading = DigestReading(reader, isFilled: isFilled)
    self = reading.run(progress: progress)
  }
}
