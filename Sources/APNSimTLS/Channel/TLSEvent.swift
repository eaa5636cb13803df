/// The inbound user events of ``TLSHandler``, beside `TLSUserEvent.handshakeCompleted` of NIOTLS and
/// `ChannelEvent.inputClosed` of NIO.
package enum TLSEvent: Sendable, Hashable {
  /// The peer sent close_notify: it will send no more data. `ChannelEvent.inputClosed` follows at once, and
  /// not again when TCP ends.
  case peerClosedNotify
}

/// The requests to ``TLSHandler``, as outbound user events (`triggerUserOutboundEvent`).
package enum TLSCommand: Sendable, Hashable {
  /// Sends everything that was flushed, then close_notify, once. Reading goes on; writing has ended. The
  /// promise completes when the alert is handed to the kernel, or fails during the handshake.
  case closeNotify
  /// Discards further input without decrypting it. Only the end of TCP is still noticed.
  case discardInput
  /// Suppresses the close_notify of a `close`, which is then a bare FIN (or RST).
  case omitCloseNotify
}
