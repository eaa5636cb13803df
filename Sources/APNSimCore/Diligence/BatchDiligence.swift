package import APNSimWire

/// What one batch of notifications tells about its provider, added up while the batch is judged.
package struct BatchDiligence: BitwiseCopyable, Hashable, Sendable {
  package var notifications = 0
  /// Payloads with white space that could have been left out, and how many bytes of it.
  package var withWhitespace = 0
  package var whitespaceBytes = 0
  package var alertsWithOnlyBody = 0
  /// Notifications that make good an earlier discard.
  package var resent = 0

  package init() {}

  /// One more notification; cheap enough to be called for each.
  @inline(__always)
  package mutating func note(_ facts: PayloadFacts) {
    notifications &+= 1
    if facts.insignificantWhitespace > 0 {
      withWhitespace &+= 1
      whitespaceBytes &+= facts.insignificantWhitespace
    }
    if facts.alertHasOnlyBody { alertsWithOnlyBody &+= 1 }
  }
}
