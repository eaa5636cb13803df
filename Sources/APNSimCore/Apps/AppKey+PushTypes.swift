import APNSimWire

extension AppKey {
  /// The bundle ID of a topic: without the suffix of a push type.
  package var bundleId: String {
    var topic = topic
    return topic.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard let type = PushType(suffixOf: bytes) else { return String(decoding: bytes, as: UTF8.self) }
      return String(decoding: bytes.dropLast(type.row.topicSuffix.utf8CodeUnitCount), as: UTF8.self)
    }
  }

  /// True for an app that goes where this one goes: itself, and what it has for push types with a topic of their own.
  package func includes(_ other: AppKey) -> Bool {
    other == self || other.environment == environment && other.bundleId.isExactly(topic)
  }
}
