/// The checks that are made of a request, in their order, by what its path names.
///
/// Apple documents no order; that of `standard` follows what was seen: the method before authorization, authorization
/// before the device token, the topic before the token. On the paths of broadcast authorization comes first.
package struct CheckOrder: Hashable, Sendable {
  package var device: [RequestCheck]
  package var publish: [RequestCheck]
  package var create: [RequestCheck]
  package var read: [RequestCheck]
  package var delete: [RequestCheck]
  package var list: [RequestCheck]

  package static let standard = CheckOrder(
    device: [
      .method, .path, .authorization, .deviceTokenPresence, .repeats, .messageId, .topicPresence, .topic,
      .pushType, .priority, .expiration, .collapseId, .payloadPresence, .payloadSize, .deviceToken,
      .registration, .tokenTopic,
    ],
    publish: [
      .authorization, .method, .repeats, .requestId, .topic, .feature, .channelPresence, .channelId, .channel,
      .pushType, .priority, .expiration, .storageExpiration, .payloadPresence, .payloadSize,
    ],
    create: [
      .authorization, .method, .repeats, .requestId, .topic, .feature, .payloadSize, .description,
      .attributes, .storagePolicy, .channelPushType, .channelRoom,
    ],
    read: [
      .authorization, .method, .repeats, .requestId, .topic, .channelPresence, .channelId, .channel,
    ],
    delete: [
      .authorization, .method, .repeats, .requestId, .topic, .channelPresence, .channelId, .channel,
    ],
    list: [.authorization, .method, .repeats, .requestId, .topic, .feature]
  )

  /// The checks of a request, in order. An unknown path is judged as a device's is, and fails there.
  package func checks(of request: Request) -> [RequestCheck] {
    switch (request.target, request.method) {
    case (.device, _), (.unknown, _): device
    case (.broadcast, _): publish
    case (.allChannels, _): list
    case (.channels, .get): read
    case (.channels, .delete): delete
    case (.channels, _): create
    }
  }
}
