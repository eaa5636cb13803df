package import APNSimWire

extension Simulator {
  /// The parts of a notification as it was sent: the fields of its frame, with the one at fault marked, or of a request
  /// its payload.
  package func fields(of view: NotificationView) -> [AnnotatedHex.Field] {
    guard view.request == nil else {
      return view.payload.isEmpty
        ? [] : [AnnotatedHex.Field(name: "payload", range: 0..<view.payload.count, text: "")]
    }
    var fields = AnnotatedHex.fields(of: annotatedFrame(view.number))
    // A frame that cannot be read says itself where. Otherwise it is a field that was judged.
    guard view.outcome == .rejected, !fields.contains(where: { $0.error != nil }),
      let failed = view.explanations.first(where: { !$0.isPassed }),
      let names = Self.fieldNames[failed.check],
      let place = names.lazy.compactMap({ name in fields.firstIndex { $0.name == name } }).first
    else { return fields }
    fields[place].error = failed.detail
    return fields
  }

  /// The fields that a check is about, the first that a frame has.
  private static let fieldNames: [String: [String]] = [
    "command": ["command"], "tokenPresence": ["token length", "device token"],
    "tokenSize": ["token length", "device token"], "payloadPresence": ["payload length", "payload"],
    "payloadSize": ["payload length", "payload"], "token": ["device token"], "priority": ["priority"],
    "payload": ["payload"],
  ]
}

/// The evidence of the binary interface: frames as they were sent.
extension Simulator {
  /// The frame of a notification, field by field: as far as it was kept, where a declared length decided it.
  package func annotatedFrame(_ number: UInt64) -> [AnnotatedHex.Line] {
    withWorld { world in
      guard world.history.notifications.contains(number) else { return [] }
      let record = world.history.notifications[number]
      let bytes = world.history.evidence(of: record)
      return world.frame(of: record, bytes).map { AnnotatedHex.lines(of: $0, in: bytes) }
        ?? AnnotatedHex.lines(ofUnread: bytes, at: 0, meaning: "")
    }
  }
}

extension World {
  /// The frame of a record. Of one that was stopped early only the beginning is there, and it stops at the same place
  /// again, whatever token sizes are known by now.
  fileprivate func frame(of record: NotificationRecord, _ bytes: UnsafeRawBufferPointer) -> Frame? {
    if let whole = FrameDecoder.next(in: bytes, from: 0, mode: .reading) { return whole }
    let sizes: TokenSizes = record.failed == .tokenSize ? [] : TokenSizes(1...TokenSizes.maximum)
    return FrameDecoder.next(in: bytes, from: 0, mode: .judging(configuration.frameLimits(tokenSizes: sizes)))
  }
}
