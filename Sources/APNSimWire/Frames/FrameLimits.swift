/// The limits by which a gateway refuses a frame on a declared length or command byte alone, before the bytes after
/// it have come.
package struct FrameLimits: BitwiseCopyable, Hashable, Sendable {
  /// The known commands; any other is an unknown command.
  package var commands: CommandSet
  /// The largest payload of command 0, in bytes. 256 in every edition of the guide.
  package var simplePayload: Int
  /// The largest payload of command 1, in bytes. 256 in every edition, 2018's included.
  package var enhancedPayload: Int
  /// The largest payload of command 2, in bytes: 2048 since September 2014. The decoder reads the frame whole, so the
  /// judge applies this limit.
  package var framedPayload: Int
  /// The largest declared length of a command-2 frame, in bytes without its 5-byte header.
  package var frame: Int
  /// The valid token lengths. For command 2 the judge applies them.
  package var tokenSizes: TokenSizes

  package init(
    commands: CommandSet = .all,
    simplePayload: Int = 256,
    enhancedPayload: Int = 256,
    framedPayload: Int = 2048,
    frame: Int = FrameDecoder.maximumFrameLength,
    tokenSizes: TokenSizes = TokenSizes()
  ) {
    self.commands = commands
    self.simplePayload = simplePayload
    self.enhancedPayload = enhancedPayload
    self.framedPayload = framedPayload
    self.frame = frame
    self.tokenSizes = tokenSizes
  }

  /// The largest payload of the given command.
  @inlinable @inline(__always)
  package func payload(of command: UInt8) -> Int {
    switch command {
    case 0: simplePayload
    case 1: enhancedPayload
    default: framedPayload
    }
  }
}
