/// The service's answer to a request: a status, headers in order, and a body.
///
/// Its headers are `apns-id` (of a channel request `apns-request-id`), as the provider wrote it or made in upper case,
/// `apns-channel-id` where a channel was created, and in the sandbox `apns-unique-id` in lower case; errors have no
/// `content-type` unless a quirk says so (OBS).
package struct Answer: BitwiseCopyable, Hashable, Sendable {
  package var status: UInt16
  package var reason: Reason?
  /// Milliseconds since 1970: when the token was no longer valid. Sent with a status of 410 only.
  package var timestamp: Int64?
  package var isBroadcast: Bool
  /// The identifier that the provider chose; absent where it chose none or none that can be.
  package var supplied: ByteRange
  /// The identifier in place of one that the provider chose; nil where it chose one.
  package var made: Identifier?
  /// The identifier of the sandbox's delivery log; nil in production.
  package var unique: Identifier?
  package var quirks: RequestRules.Quirks

  /// - Parameters:
  ///   - reason: nil for a request that passed.
  ///   - made: from the core's generator; needed where the provider chose none.
  package init(
    to request: Request,
    in buffer: UnsafeRawBufferPointer,
    reason: Reason?,
    timestamp: Int64? = nil,
    made: Identifier?,
    unique: Identifier? = nil,
    quirks: RequestRules.Quirks = []
  ) {
    self.reason = reason
    self.timestamp = timestamp
    self.made = made
    self.unique = unique
    self.quirks = quirks
    isBroadcast = request.isBroadcast
    let identifier = request.isBroadcast ? request.requestId : request.messageId
    let isGood = identifier.isPresent && Identifier.isCanonical(identifier.bytes(in: buffer))
    supplied = isGood ? identifier : .absent
    status = reason?.status ?? request.successStatus
  }

  /// Calls `body` with each header after `:status`, in order. The bytes are good during the call only.
  /// - Parameter channel: the identifier of a channel that was created, else empty.
  package func withHeaders(
    in buffer: UnsafeRawBufferPointer,
    channel: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    _ body: (StaticString, UnsafeRawBufferPointer) -> Void
  ) {
    withUnsafeTemporaryAllocation(byteCount: Identifier.textCount, alignment: 1) { room in
      let name: StaticString = isBroadcast ? "apns-request-id" : "apns-id"
      if supplied.isPresent {
        body(name, supplied.bytes(in: buffer))
      } else if let made {
        made.write(upperCase: true, to: room)
        body(name, UnsafeRawBufferPointer(room))
      }
      if status == 201, !channel.isEmpty { body("apns-channel-id", channel) }
      if let unique {
        unique.write(upperCase: false, to: room)
        body("apns-unique-id", UnsafeRawBufferPointer(room))
      }
      if reason != nil, quirks.contains(.contentTypeOnErrors) {
        let type: StaticString = "application/json"
        body("content-type", UnsafeRawBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount))
      }
    }
  }

  /// Appends the body: nothing for a request that passed, else `{"reason":"…"}`, with `"timestamp"` for a status of
  /// 410.
  package func appendBody(to output: inout [UInt8]) {
    guard let reason else { return }
    output += #"{"reason":""#.utf8
    output += reason.name(documented: quirks.contains(.documentedReasons)).utf8
    output.append(UInt8(ascii: "\""))
    if status == 410, let timestamp {
      output += #","timestamp":"#.utf8
      output += String(timestamp).utf8
    }
    output.append(UInt8(ascii: "}"))
  }
}
