import APNSimWire

/// The feedback service's side of the state.
extension World {
  /// Puts a scripted tuple into an app's list.
  mutating func addFeedback(_ tuple: FeedbackTuple, app: UInt16) {
    apps[app].ledger.append(tuple)
    apps[app].diligence.tupleListed(at: now)
    emit(.feedbackAdded(apps[app].key, tuple, isScripted: true))
  }

  mutating func add(_ specification: FeedbackSpecification) throws(CommandError) {
    let token = try token(of: specification)
    switch specification.moment {
    case .at(let moment):
      addFeedback(
        FeedbackTuple(timestamp: moment.tupleSeconds, token: token),
        app: try appOrError(specification.app)
      )
    case .after(let span):
      let limit = configuration.limits.feedbackTuples
      guard span <= .zero || apps.scriptedFeedback.count < limit else { throw .tooManyTuples(limit: limit) }
      let app = try appOrError(specification.app)
      let moment = now + span
      let tuple = FeedbackTuple(timestamp: moment.tupleSeconds, token: token)
      guard span > .zero else { return addFeedback(tuple, app: app) }
      schedule(.addFeedback(number: apps.scriptedFeedback.add(tuple, app: app)), at: moment)
    }
  }

  private func token(of specification: FeedbackSpecification) throws(CommandError) -> [UInt8] {
    switch specification.subject {
    case .token(let bytes):
      let limit = Int(UInt16.max)
      guard (1...limit).contains(bytes.count) else { throw .badToken(byteCount: bytes.count, limit: limit) }
      return bytes
    case .device(let name):
      let device = try find(device: name)
      guard let app = apps.place(of: specification.app),
        let registration = devices.registration(of: device, app: app)
      else { throw .appNotOnDevice(device: name, app: specification.app) }
      return devices.token(of: registration)
    }
  }

  /// Hands out the next tuples of a list to one reader, and records that it did; also that a reader found none.
  /// - Parameters:
  ///   - sent: how many bytes of them are sent, where a fault cuts them off.
  ///   - isFirst: the reader has asked for none before.
  mutating func readFeedback(
    _ record: FeedbackRecord,
    maximumBytes: Int,
    sent: Int,
    isFirst: Bool,
    cursor: inout UInt64
  ) -> [UInt8] {
    guard !record.isOver else { return [] }
    let app = record.app
    let isKept = configuration.feedbackKeep || record.plan.more.keepsFeedback
    let (chunk, tuples) =
      isKept
      ? withUnsafeMutablePointer(to: &cursor) { apps[app].ledger.take(maximumBytes: maximumBytes, from: $0) }
      : apps[app].ledger.take(maximumBytes: maximumBytes, from: nil)
    guard !chunk.isEmpty || isFirst else { return [] }
    record.tuplesRead += UInt64(tuples)
    record.lastActivity = now
    apps[app].diligence.feedbackRead(waiting: isKept ? 0 : apps[app].ledger.count, at: now)
    let bytes = chunk.count > sent ? Array(chunk.prefix(sent)) : chunk
    emit(.feedbackRead(record.id, apps[app].key, tuples: tuples, bytes: bytes))
    return bytes
  }

  mutating func clearFeedback(_ key: AppKey?) {
    for place in apps.indices where key == nil || apps[place].key == key {
      apps[place].ledger.removeAll()
      apps[place].diligence.feedbackCleared()
    }
    emit(.feedbackCleared(key))
  }
}
