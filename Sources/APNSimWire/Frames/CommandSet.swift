/// The set of commands that a gateway understands.
public struct CommandSet: OptionSet, BitwiseCopyable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Command 0: token and payload, no way to answer.
  public static let simple = CommandSet(rawValue: 1 << 0)
  /// Command 1: adds identifier and expiry, and with them the error response.
  public static let enhanced = CommandSet(rawValue: 1 << 1)
  /// Command 2: a frame of items. Documented from 2013 on.
  public static let framed = CommandSet(rawValue: 1 << 2)

  public static let all: CommandSet = [.simple, .enhanced, .framed]

  /// True if the set has the command of the byte `command`.
  @inline(__always)
  package func contains(command: UInt8) -> Bool {
    command < 3 && rawValue & (1 << command) != 0
  }
}
