package import APNSimWire

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
