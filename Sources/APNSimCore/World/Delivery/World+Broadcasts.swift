import APNSimWire

/// Broadcasts, from the provider to the devices that are subscribed.
extension World {
  /// A broadcast that was accepted.
  struct Broadcast {
    /// The place of its channel.
    var place: UInt32
    var number: UInt64
    var payload: UnsafeRawBufferPointer
    /// The payload's place in the arena.
    var position: UInt64
    /// Seconds since 1970; 0 is not to be stored.
    var expiration: Int64
    var isReadable: Bool
  }

  /// Delivers a broadcast to the subscribed devices that are online, and keeps it for the others where the channel stores.
  ///
  /// The newest message counts, whether it is stored or not: the one that waited is discarded (INF).
  mutating func publish(_ broadcast: Broadcast) -> Outcome {
    let place = broadcast.place
    guard let channel = channels[place] else { return .notStored }
    endMessage(of: place, .replaced, detail: broadcast.number)
    var waiting: [UInt32] = []
    var delivered = 0
    for registration in channel.subscribers {
      let device = devices.registrations[registration].device
      if devices.devices[device].isConnected { dropIfSlow(device) }
      guard devices.devices[device].isOnline else {
        waiting.append(registration)
        continue
      }
      guard broadcast.isReadable else { continue }
      delivered += 1
      deliver(broadcast, to: registration)
    }
    channels.notePublished(place, delivered: delivered)
    let outcome = store(broadcast, on: place, channel.storagePolicy, waiting, isDelivered: delivered > 0)
    emit(
      .channel(
        .published(
          channel.key.app,
          id: channel.key.id,
          notification: broadcast.number,
          subscribers: channel.subscribers.count,
          delivered: delivered
        )
      )
    )
    if delivered > 0 { return .delivered }
    return broadcast.isReadable ? outcome : .dropped
  }

  /// - Returns: what has become of it where no device has it.
  private mutating func store(
    _ broadcast: Broadcast,
    on place: UInt32,
    _ policy: ChannelDescription.StoragePolicy,
    _ waiting: [UInt32],
    isDelivered: Bool
  ) -> Outcome {
    guard broadcast.expiration != 0, policy == .mostRecent else { return .notStored }
    let expiry = Timestamp(seconds: broadcast.expiration)
    guard expiry > now else { return .expired }
    guard broadcast.isReadable else { return .dropped }
    let longest = now + ChannelBook.storagePeriod
    let message = Channel.Message(
      number: broadcast.number,
      payload: Array(broadcast.payload),
      until: min(expiry, longest),
      endsByExpiry: expiry < longest,
      waiting: waiting,
      isUndelivered: !isDelivered
    )
    for other in channels.keep(message, on: place) { endMessage(of: other, .expired) }
    schedule(.expireBroadcast(place: place), at: message.until)
    return .stored
  }

  private mutating func deliver(_ broadcast: Broadcast, to registration: UInt32) {
    let delivery = history.append(
      DeliveryRecord(
        previous: devices.registrations[registration].lastDelivery,
        notification: broadcast.number,
        time: now,
        payload: broadcast.position,
        identifier: nil,
        payloadByteCount: UInt16(truncatingIfNeeded: broadcast.payload.count)
      )
    )
    devices.setLastDelivery(registration, delivery)
    hand(broadcast.number, payload: broadcast.payload, identifier: nil, to: registration)
    guard !activities.isEmpty else { return }
    showActivity(broadcast.payload, broadcast.number, on: registration, by: .channel(broadcast.place))
  }

  /// A device is back: it gets what waits on the channels that its app is subscribed to.
  mutating func deliverBroadcasts(to registration: UInt32) {
    for place in channels.places(subscribedBy: registration) {
      guard let (message, isFirst) = channels.takeMessage(place, for: registration) else { continue }
      message.payload.withUnsafeBytes { payload in
        let broadcast = Broadcast(
          place: place,
          number: message.number,
          payload: payload,
          position: history.keep(payload),
          expiration: 0,
          isReadable: true
        )
        deliver(broadcast, to: registration)
      }
      if isFirst { noteEnd(of: message.number, .delivered) }
      let known = devices.registrations[registration]
      emit(
        .outcome(
          .delivered,
          notification: message.number,
          device: devices.label(of: known.device),
          app: apps[known.app].key,
          detail: 0
        )
      )
    }
  }
}
