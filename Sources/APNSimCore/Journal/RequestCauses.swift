import APNSimWire

/// The circumstances of a refused request that tell why: who sent it, and who has its token.
struct RequestSurroundings {
  /// The provider, if its connection is remembered.
  var provider: ProviderIdentity?
  /// The team that the app belongs to; nil for an app that is any team's.
  var team: String?
  /// The apps that the token belongs to, where it is not the topic's.
  var owners: [AppKey] = []
}

/// The causes behind the check that a request failed. Each answer is a hint, nil where nothing is known beyond what was
/// expected and found.
struct RequestCauses {
  let request: Request
  let evidence: RequestEvidence
  let surroundings: RequestSurroundings
  /// The fault of the token, in words; nil where it has none.
  let tokenFault: String?

  func hint(about check: RequestCheck) -> String? {
    switch check {
    case .path: PathMistakes(path: bytes(request.path)).unknownPath
    case .deviceToken: PathMistakes.token(bytes(request.deviceToken)) ?? tokenFault
    case .registration: tokenFault
    case .tokenTopic: missingSuffix ?? tokenFault
    case .topic: topic
    case .pushType: pushType
    default: nil
    }
  }

  /// The remark on what passed a check and is likely not what was meant: a longer token is a device as well.
  func remark(on check: RequestCheck) -> String? {
    switch check {
    case .deviceToken where request.deviceToken.count > 2 * DeviceToken.byteCount:
      PathMistakes.token(bytes(request.deviceToken))
    case .expiration where request.expiration ?? 0 >= Self.leastMilliseconds:
      "apns-expiration is in milliseconds: it is seconds since 1970"
    case .pushType:
      PushContradiction(request, PayloadJudge.judge(evidence.body).facts) { evidence.body }?.words
    default: nil
    }
  }

  private func bytes(_ range: ByteRange) -> UnsafeRawBufferPointer { range.bytes(in: evidence.bytes) }

  private func text(_ range: ByteRange) -> String {
    String(decoding: bytes(range).prefix(Self.longestText), as: UTF8.self)
  }

  // MARK: Topics

  /// The topic that a push type wants where the request has another.
  private var missingSuffix: String? {
    guard let type = request.pushType, type.row.topicSuffix.utf8CodeUnitCount > 0, request.topicType != type
    else { return nil }
    let topic = text(request.topic)
    let bundleId = topic.dropLast(request.topicType?.row.topicSuffix.utf8CodeUnitCount ?? 0)
    return
      "the topic of push type \(type.name) ends in \(type.row.topicSuffix): \(bundleId)\(type.row.topicSuffix)"
  }

  /// The provider's topics, where the request has none of them.
  private var topic: String? {
    let topic = request.isBroadcast ? request.bundleId : request.topic
    guard bytes(topic).allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return "a topic is a bundle ID, maybe with the suffix of a push type: visible ASCII, no spaces"
    }
    if request.isBroadcast, let type = PushType(suffixOf: bytes(topic)) {
      return "the path has the bundle ID alone, without \(type.row.topicSuffix)"
    }
    if evidence.authorization.hasCertificate {
      return surroundings.provider.map { "the certificate is for \(Self.list($0.topics))" }
    }
    guard let token = evidence.authorization.token else { return nil }
    if let team = surroundings.team, team != token.teamID {
      return "\(text(topic)) belongs to team \(team), the provider token to team \(token.teamID)"
    }
    let topics = token.scope.topics
    return topics.isEmpty ? nil : "the key \(token.keyID) is good for \(Self.list(topics))"
  }

  /// The first of some names, and how many there are beside them.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(mostNames).joined(separator: ", ")
    return names.count > mostNames ? "\(shown) and \(names.count - mostNames) more" : shown
  }

  // MARK: Push types

  /// The push type that was meant.
  private var pushType: String? {
    guard request.pushTypeText.isPresent else { return nil }
    if request.pushType != nil {
      return request.topicType.map {
        "the topic ends in \($0.row.topicSuffix), whose push type is \($0.name)"
      }
    }
    let found = text(request.pushTypeText)
    if request.isBroadcast { return nil }
    let names = PushType.allCases.map(\.name)
    if let meant = NearestName.find(found, among: names) ?? Self.otherWords[found.lowercased()]?.name {
      return "did you mean '\(meant)'?"
    }
    return found.isEmpty ? "leave the header out, or name the type" : nil
  }

  /// The words that people have for push types.
  private static let otherWords: [String: PushType] = [
    "silent": .background, "data": .background, "content-available": .background, "notification": .alert,
    "push": .alert, "message": .alert, "banner": .alert, "call": .voip, "wallet": .background,
    "live": .liveactivity,
  ]

  private static let longestText = 255
  /// A number of seconds from here on is a time in the year 5138 or later.
  private static let leastMilliseconds: Int64 = 100_000_000_000
  private static let mostNames = 10
}
