package import APNSimCore
package import APNSimTLS

/// The things that whoever starts a server gives it beside its configuration.
package struct ServerAdditions: Sendable {
  /// The prepared directory of certificates; nil prepares the configuration's on start.
  let pki: PKIDirectory?
  /// Keys of provider tokens that have no files, by their identifiers.
  let providerKeys: [String: ProviderKeyRing.Entry]
  /// The service beside the listeners.
  let companion: (any ServerCompanion)?
  /// The transformation of recorded lines before they are written.
  let recordFilter: JournalFile.Filter?
  /// The beginning of a state that outlives the process; nil for one that goes with it.
  let durable: DurableBeginning?
  /// The wall time, where it is not the machine's: that of a recording, which passes as it is read.
  let recordedTime: (@Sendable () -> Timestamp)?

  package init(
    pki: PKIDirectory? = nil,
    providerKeys: [String: ProviderKeyRing.Entry] = [:],
    companion: (any ServerCompanion)? = nil,
    recordFilter: JournalFile.Filter? = nil,
    durable: DurableBeginning? = nil,
    recordedTime: (@Sendable () -> Timestamp)? = nil
  ) {
    (self.pki, self.providerKeys, self.companion) = (pki, providerKeys, companion)
    (self.recordFilter, self.durable, self.recordedTime) = (recordFilter, durable, recordedTime)
  }
}
