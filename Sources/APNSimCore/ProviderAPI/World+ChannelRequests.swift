import APNSimWire

/// The action that a request asks of channels.
enum ChannelAction {
  case publish(place: UInt32)
  case create(AppKey, ChannelDescription.StoragePolicy)
  case read(place: UInt32)
  case delete(place: UInt32)
  case list(AppKey)
}

/// Requests about channels: the paths of broadcast.
extension World {
  /// Looks up what the judge of a request about channels will ask.
  func standChannel(
    of prepared: PreparedRequest,
    on connection: RequestRecord,
    _ standing: inout RequestStanding
  ) {
    guard let bundleId = prepared.topic else { return }
    let app = AppKey(topic: bundleId, environment: connection.opening.provider.environment)
    if !channels.mayBroadcast(bundleId) { standing.answers.feature = .featureNotEnabled }
    let (head, bytes) = (prepared.head, prepared.bytes)
    switch (head.target, head.method) {
    case (.allChannels, _): standing.channelAction = .list(app)
    case (.channels, .post):
      if !channels.hasRoom(for: app) { standing.answers.channelRoom = .cannotCreateChannelConfig }
      let policy = ChannelDescription.read(prepared.submission.pointee.payload(in: bytes)).storagePolicy
      standing.channelAction = policy.map { .create(app, $0) }
    default:
      let id = String(decoding: head.channelId.bytes(in: bytes), as: UTF8.self)
      guard let place = channels.place(of: ChannelKey(app: app, id: id)), let channel = channels[place] else {
        standing.answers.channel = .channelNotRegistered
        return
      }
      standing.answers.channelStores = channel.storagePolicy == .mostRecent
      standing.channelAction =
        head.target == .broadcast
        ? .publish(place: place) : head.method == .delete ? .delete(place: place) : .read(place: place)
    }
  }

  /// The reason why the provider may not broadcast for a bundle ID; nil where it may.
  func refusal(
    ofBundleIdIn prepared: PreparedRequest,
    _ authorization: RequestAuthorization,
    _ provider: ProviderIdentity
  ) -> Reason? {
    guard let bundleId = prepared.topic else { return .topicMismatch }
    if authorization.hasCertificate { return provider.topics.contains(bundleId) ? nil : .topicMismatch }
    guard let token = authorization.token else { return nil }
    if let team = setup.scenario.teams[bundleId], team != token.teamID { return .topicMismatch }
    return token.scope.allows(topic: bundleId) ? nil : .topicMismatch
  }

  /// Does what a request asks that passed every check.
  mutating func perform(
    _ action: ChannelAction,
    _ submission: Submission,
    in bytes: UnsafeRawBufferPointer,
    _ record: NotificationRecord,
    _ outcome: inout RequestOutcome
  ) -> Outcome {
    switch action {
    case .publish(let place):
      let broadcast = Broadcast(
        place: place,
        number: outcome.number,
        payload: submission.payload(in: bytes),
        position: record.evidence &+ UInt64(submission.fields.payloadStart),
        expiration: submission.fields.expiry,
        isReadable: submission.verdict.isFine || submission.isReadable(in: bytes, by: configuration.rules)
      )
      return publish(broadcast)
    case .create(let app, let policy):
      outcome.channels = ChannelAnswer(id: Array(addChannel(policy, of: app).id.utf8))
      outcome.success = 201
    case .read(let place):
      let body = channels[place].map { ChannelDescription.body(of: $0.storagePolicy) }
      outcome.channels = ChannelAnswer(body: body ?? [])
    case .delete(let place):
      deleteChannel(place)
      outcome.success = 204
    case .list(let app):
      let ids = channels.places(of: app).compactMap { channels[$0]?.key.id }
      outcome.channels = ChannelAnswer(body: ChannelDescription.body(listing: ids))
    }
    return .performed
  }
}
