import APNSimCore
import APNSimWire

/// The notifications of a digest, in their order. Only what a comparison needs is kept of each, because a capture may
/// have many millions.
package struct DigestItems: Sendable {
  /// One notification as it is kept.
  struct Entry: BitwiseCopyable, Sendable {
    var number: UInt64
    var time: TimeSpan
    var content: Fingerprint
    var connection: ConnectionID
    var identifier: UInt32
    var hasIdentifier: Bool
    var command: UInt8
    /// 0 where the frame has none.
    var priority: UInt8
    var expiry: UInt32
    var hasExpiry: Bool
    var isFrame: Bool
    /// True where all of its fields are known.
    var isWhole: Bool
    var status: UInt8
    var outcome: Outcome?
    /// Numbers in the tables of the digest.
    var topic: UInt32
    var token: UInt32
    /// True where its bytes end before its frame does.
    var isCutOff: Bool
    /// The place of a request in `requests`, from 1; 0 for a frame.
    var request: UInt32 = 0

    var isNotification: Bool { isFrame && (!isCutOff || outcome != nil) }
  }

  var entries: [Entry] = []
  var topics = TextTable()
  var tokens = TextTable()
  var requests: [RequestEntry] = []
  /// The texts of requests.
  var words = TextTable()

  /// The request's own part.
  func request(_ entry: Entry) -> RequestItem? {
    entry.request > 0 ? requests[Int(entry.request) - 1].item(words) : nil
  }
}

extension DigestItems: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { entries.count }

  package subscript(place: Int) -> CaptureDigest.Item {
    let entry = entries[place]
    return CaptureDigest.Item(
      number: entry.number,
      connection: entry.connection,
      time: entry.time,
      topic: String(decoding: topics[Int(entry.topic)], as: UTF8.self),
      identifier: entry.hasIdentifier ? NotificationIdentifier(rawValue: entry.identifier) : nil,
      token: Array(tokens[Int(entry.token)]),
      command: entry.command,
      priority: entry.priority > 0 ? entry.priority : nil,
      expiry: entry.hasExpiry ? entry.expiry : nil,
      isFrame: entry.isFrame,
      isCutOff: entry.isCutOff,
      request: request(entry),
      outcome: entry.outcome,
      status: entry.status
    )
  }
}
