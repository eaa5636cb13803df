/// A request of a provider as it was sent, unjudged: ranges of its header block, and what their text means.
///
/// The value of `authorization` is not part of it: only that there was one, and of which scheme.
package struct Request: BitwiseCopyable, Hashable, Sendable {
  package enum Method: UInt8, BitwiseCopyable, Hashable, Sendable {
    case get, post, delete, other
  }

  /// The resource that its path names.
  package enum Target: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// `/3/device/<hex>`.
    case device
    /// `/4/broadcasts/apps/<bundle ID>`.
    case broadcast
    /// `/1/apps/<bundle ID>/channels`.
    case channels
    /// `/1/apps/<bundle ID>/all-channels`.
    case allChannels
    case unknown
  }

  package enum Scheme: UInt8, BitwiseCopyable, Hashable, Sendable {
    case none, bearer, other
  }

  package var method = Method.other
  package var target = Target.unknown
  package var scheme = Scheme.none
  /// The first of the headers that came more than once.
  package var repeated: RequestHeader?

  /// `:method` and `:path` as sent.
  package var methodText = ByteRange.absent
  package var path = ByteRange.absent
  /// `:authority`, or `host`, which Apple's samples send.
  package var authority = ByteRange.absent
  /// The hexadecimal digits after `/3/device/`.
  package var deviceToken = ByteRange.absent
  /// The bundle ID in the path of a broadcast.
  package var bundleId = ByteRange.absent

  package var messageId = ByteRange.absent
  package var topic = ByteRange.absent
  package var collapseId = ByteRange.absent
  package var channelId = ByteRange.absent
  package var requestId = ByteRange.absent
  package var pushTypeText = ByteRange.absent
  package var priorityText = ByteRange.absent
  package var expirationText = ByteRange.absent

  /// Nil where the header is absent or names none.
  package var pushType: PushType?
  /// The type whose suffix the topic has.
  package var topicType: PushType?
  /// 10 where it is absent, 0 where it is none of 10, 5 and 1.
  package var priority: UInt8 = 10
  /// Seconds since 1970; nil where the header is absent or no number.
  package var expiration: Int64?
  /// The bytes of the body.
  package var bodyCount = 0
  /// The device token is an even number of hexadecimal digits, and not none.
  package var isTokenHexadecimal = false
  /// The identifiers are UUIDs as they should be.
  package var isMessageIdCanonical = false
  package var isRequestIdCanonical = false
  /// The topic is visible ASCII; true where there is none.
  package var isTopicVisible = true

  package init() {}

  /// The same request in a buffer that begins so many bytes before the one it was decoded in.
  package mutating func move(by bytes: UInt32) {
    methodText.move(by: bytes)
    path.move(by: bytes)
    authority.move(by: bytes)
    deviceToken.move(by: bytes)
    bundleId.move(by: bytes)
    messageId.move(by: bytes)
    topic.move(by: bytes)
    collapseId.move(by: bytes)
    channelId.move(by: bytes)
    requestId.move(by: bytes)
    pushTypeText.move(by: bytes)
    priorityText.move(by: bytes)
    expirationText.move(by: bytes)
  }

  /// The status of its answer where it passes.
  package var successStatus: UInt16 {
    guard target == .channels else { return 200 }
    return method == .post ? 201 : method == .delete ? 204 : 200
  }

  package var isBroadcast: Bool { target != .device && target != .unknown }

  /// The purpose that the topic or the header names; an alert where neither says anything.
  package var effectivePushType: PushType { pushType ?? topicType ?? .alert }

  /// The most bytes that its body may have.
  package var payloadLimit: Int {
    isBroadcast ? PushType.broadcastPayloadLimit : effectivePushType.row.payloadLimit
  }
}
