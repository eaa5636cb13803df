import APNSimWire

/// A device token that scripts itself: six ASCII bytes `APNSIM`, a kind, a code and 24 free bytes.
///
/// It needs no set-up and works from any language, under every token policy.
package struct MagicToken: BitwiseCopyable, Hashable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    case refuse = 0xE0
    /// Answers with the reason of this number, as a request; as a frame with its counterpart.
    case reason = 0xE1
    case fault = 0xD0
    /// A fault of a request and its connection; as a frame its counterpart.
    case requestFault = 0xD1
    case offline = 0x0F
    case uninstalled = 0xFB
    case react = 0x1A
  }

  package var kind: Kind
  package var code: UInt8

  package static let prefix: [UInt8] = Array("APNSIM".utf8)

  package init(kind: Kind, code: UInt8) {
    self.kind = kind
    self.code = code
  }

  /// True if a magic token may begin with these two bytes: hardly any other does.
  @inline(__always)
  static func mayBegin(_ first: UInt8, _ second: UInt8) -> Bool { first == 0x41 && second == 0x50 }

  /// The magic of a token; nil for an ordinary one, and for a kind that is not defined.
  @inline(__always)
  package init?(_ token: UnsafeRawBufferPointer) {
    guard token.count == 32, token[0] == 0x41, token[1] == 0x50, token[2] == 0x4E, token[3] == 0x53,
      token[4] == 0x49, token[5] == 0x4D, let kind = Kind(rawValue: token[6])
    else { return nil }
    self.kind = kind
    code = token[7]
  }

  /// A token of this kind and code; `serial` fills the free bytes.
  package func token(serial: UInt64 = 0) -> [UInt8] {
    let free = (0..<8).map { UInt8(truncatingIfNeeded: serial >> UInt64(56 - 8 * $0)) }
    return Self.prefix + [kind.rawValue, code] + [UInt8](repeating: 0, count: 16) + free
  }

  /// The last free byte of a token whose fault happens each time.
  static let always: UInt8 = 1

  /// True for a fault after which a request is safely sent again, as libraries do at once: it happens once.
  var invitesRetry: Bool { kind == .requestFault && (code == 0x01 || code == 0x04) }

  /// The time its code stands for: minutes, or tenths of a second for `react`.
  var span: TimeSpan { kind == .react ? .milliseconds(Int64(code) * 100) : .minutes(Int64(code)) }

  /// One row of the table that `apnsim tokens` prints.
  package struct Example: Sendable {
    package let magic: MagicToken
    package let meaning: String
  }

  package static let examples = refusals + reasons + others

  private static let refusals: [Example] = [
    Example(magic: .init(kind: .refuse, code: 1), meaning: "refused with status 1, processing error"),
    Example(magic: .init(kind: .refuse, code: 2), meaning: "refused with status 2, missing device token"),
    Example(magic: .init(kind: .refuse, code: 3), meaning: "refused with status 3, missing topic"),
    Example(magic: .init(kind: .refuse, code: 4), meaning: "refused with status 4, missing payload"),
    Example(magic: .init(kind: .refuse, code: 5), meaning: "refused with status 5, invalid token size"),
    Example(magic: .init(kind: .refuse, code: 6), meaning: "refused with status 6, invalid topic size"),
    Example(magic: .init(kind: .refuse, code: 7), meaning: "refused with status 7, invalid payload size"),
    Example(magic: .init(kind: .refuse, code: 8), meaning: "refused with status 8, invalid token"),
    Example(
      magic: .init(kind: .refuse, code: 10),
      meaning:
        "shutdown: status 10 with the identifier of the last accepted notification, every time it is sent; "
        + "a rule with the fault \"shutdown\" fires at each match, unless it has \"times\""
    ),
    Example(magic: .init(kind: .refuse, code: 128), meaning: "refused with status 128, protocol error"),
    Example(magic: .init(kind: .refuse, code: 255), meaning: "refused with status 255, none (unknown)"),
  ]

  /// One for each reason that a push to a device can have.
  private static let reasons: [Example] = ReasonRow.all.filter(\.isForDevices).map { row in
    Example(
      magic: .init(kind: .reason, code: row.reason.rawValue),
      meaning: "over HTTP/2 \(row.status) \(row.name)"
    )
  }

  private static let others: [Example] = [
    Example(magic: .init(kind: .fault, code: 0), meaning: "the connection is closed (FIN) without a packet"),
    Example(magic: .init(kind: .fault, code: 1), meaning: "the connection is reset (RST)"),
    Example(magic: .init(kind: .fault, code: 2), meaning: "swallowed silently"),
    Example(magic: .init(kind: .fault, code: 3), meaning: "nothing more is read on the connection"),
    Example(magic: .init(kind: .fault, code: 4), meaning: "status 8, but the packet is lost to a reset"),
    Example(magic: .init(kind: .requestFault, code: 0), meaning: "over HTTP/2 GOAWAY after its answer"),
    Example(
      magic: .init(kind: .requestFault, code: 1),
      meaning:
        "over HTTP/2 GOAWAY that names the stream below it; it is not answered. Once for each token, until a reset; sent "
        + "again, it is delivered. Every time where the last byte is 01"
    ),
    Example(
      magic: .init(kind: .requestFault, code: 2),
      meaning: "over HTTP/2 GOAWAY Shutdown after its answer, and the connection is left open"
    ),
    Example(
      magic: .init(kind: .requestFault, code: 3),
      meaning: "over HTTP/2 GOAWAY after its answer, and REFUSED_STREAM from then on"
    ),
    Example(
      magic: .init(kind: .requestFault, code: 4),
      meaning:
        "over HTTP/2 RST_STREAM REFUSED_STREAM. Once for each token, until a reset; sent again, it is delivered. Every "
        + "time where the last byte is 01"
    ),
    Example(magic: .init(kind: .requestFault, code: 5), meaning: "over HTTP/2 RST_STREAM INTERNAL_ERROR"),
    Example(magic: .init(kind: .requestFault, code: 6), meaning: "over HTTP/2 delivered, and never answered"),
    Example(
      magic: .init(kind: .requestFault, code: 7),
      meaning: "over HTTP/2 neither delivered nor answered"
    ),
    Example(magic: .init(kind: .requestFault, code: 8), meaning: "the connection is reset (RST), as by d001"),
    Example(
      magic: .init(kind: .requestFault, code: 9),
      meaning: "the connection is closed (FIN), as by d000"
    ),
    Example(
      magic: .init(kind: .requestFault, code: 10),
      meaning: "over HTTP/2 delivered, and one stream at a time from then on"
    ),
    Example(
      magic: .init(kind: .requestFault, code: 11),
      meaning: "over HTTP/2 500 InternalServerError, until the provider reconnects"
    ),
    Example(magic: .init(kind: .offline, code: 0), meaning: "device stays offline: stored"),
    Example(magic: .init(kind: .offline, code: 5), meaning: "device offline: stored, online after 5 minutes"),
    Example(
      magic: .init(kind: .uninstalled, code: 0),
      meaning: "app removed: accepted, on the feedback list at once; over HTTP/2 410 Unregistered"
    ),
    Example(
      magic: .init(kind: .uninstalled, code: 10),
      meaning: "app removed: accepted, on the feedback list after 10 minutes"
    ),
    Example(magic: .init(kind: .react, code: 5), meaning: "delivered, or answered, after 500 ms"),
  ]
}
