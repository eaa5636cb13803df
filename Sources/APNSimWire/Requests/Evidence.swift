/// The evidence for a rule of the HTTP/2 interface.
package enum Evidence: String, BitwiseCopyable, Hashable, Sendable {
  /// Apple's documentation says so.
  case documented = "DOC"
  /// The live service was seen to do so.
  case observed = "OBS"
  /// Inferred: ours to decide.
  case inferred = "INF"
}
