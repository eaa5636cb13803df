import APNSimWire

/// Looking at channels. Each answer is one consistent moment.
extension Simulator {
  /// The channels of apps, in the order in which they were created.
  /// - Parameter place: those after this one.
  package func channels(
    topic: String? = nil,
    environment: PushEnvironment? = nil,
    after place: UInt32 = 0,
    limit: Int = .max
  ) -> (channels: [ChannelView], next: UInt32?) {
    withWorld { world in
      var found: [ChannelView] = []
      for next in world.channels.allPlaces where next > place {
        guard let channel = world.channels[next], topic?.isExactly(channel.key.app.topic) ?? true,
          environment ?? channel.key.app.environment == channel.key.app.environment
        else { continue }
        guard found.count < limit else { return (found, found.last?.place) }
        found.append(world.view(ofChannel: next, channel))
      }
      return (found, nil)
    }
  }
}
