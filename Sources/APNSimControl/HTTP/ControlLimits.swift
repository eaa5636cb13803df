import NIOHTTP1

/// The limits of the control API.
package struct ControlLimits: Hashable, Sendable {
  package var connections = 4096
  /// The time that a connection may stay without a request.
  package var requestPatience = Duration.seconds(120)
  /// The maximum time of a request from its head to its end.
  package var bodyPatience = Duration.seconds(60)
  /// The time for which a client may read nothing of an answer of known length.
  package var answerPatience = Duration.seconds(60)
  /// The maximum number of open event streams, of all simulators together.
  package var streams = 256
  /// The time that a reader of events may accept nothing while very much happens.
  package var streamPatience = Duration.seconds(10)
  /// The maximum number of open waits, of the simulator and its sandboxes together.
  package var waits = 2000
  package var sandboxes = 256

  /// The bounds of a request's header, field by field and together.
  static let header = {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldCount = 1000
    limits.maxHeaderListSize = 80 << 10
    return limits
  }()

  package init() {}
}
