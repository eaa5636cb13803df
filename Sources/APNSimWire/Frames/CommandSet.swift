/// Which commands a gateway understands.
package struct CommandSet: OptionSet, BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Command 0: token and payload, no way to answer.
  package static let simple = CommandSet(rawValue: 1 << 0)
  /// Command 1: adds identifier and expiry, and with them the error response.
  package static let enhanced = CommandSet(rawValue: 1 << 1)
  /// Command 2: a frame of items. Documented from 2013 on.
  package static let framed = CommandSet(rawValue: 1 << 2)

  package static let all: CommandSet = [.simple, .enhanced, .framed]

  /// Whether the command byte `command` is one of these.
  @inline(__always)
  package func contains(command: UInt8) -> Bool {
    command < 3 && rawValue & (1 << command) != 0
  }
}
