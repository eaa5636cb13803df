/// What a completed handshake agreed on, for people.
struct TLSSession: Sendable, Equatable {
  /// `1.2`
  var version: String
  var cipher: String
}
