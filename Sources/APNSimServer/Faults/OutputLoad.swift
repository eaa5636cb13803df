/// How much of what a connection sends is held back by faults, for whoever has more to send.
final class OutputLoad {
  var latent = 0
  var sliced = 0
  /// The connection closes now: what is held does not leave any more.
  var isDropped = false

  private static let limit = 262_144

  /// Whether the sender has to wait; `channelWritabilityChanged` tells when it has not any more.
  var isFull: Bool { latent + sliced >= Self.limit }
}
