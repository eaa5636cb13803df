/// The beginning of a frame of command 0, 1 or 2: how many of its bytes have come, and how many it has.
package struct UnfinishedFrame: Hashable, Sendable {
  package var command: UInt8
  /// The number of bytes that have come, from the command byte on.
  package var bytes: Int
  /// The number of bytes that the frame has, as far as the lengths in it have come.
  package var expected: Int
  /// False where a length that has not come may make it longer.
  package var isExact: Bool

  package init(command: UInt8, bytes: Int, expected: Int, isExact: Bool) {
    (self.command, self.bytes, self.expected, self.isExact) = (command, bytes, expected, isExact)
  }

  /// - Parameter bytes: what has come, from the command byte on; nil is returned where no frame begins like this.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let command = bytes.first, command <= 2 else { return nil }
    let (expected, isExact) = Self.length(of: bytes, command: command)
    self.init(command: command, bytes: bytes.count, expected: expected, isExact: isExact)
  }

  private static func length(of bytes: UnsafeRawBufferPointer, command: UInt8) -> (Int, isExact: Bool) {
    if command == 2 {
      guard bytes.count >= 5 else { return (5, false) }
      return (5 + Int(bytes.bigEndian(UInt32.self, at: 1)), true)
    }
    let token = command == 0 ? 3 : 11
    guard bytes.count >= token else { return (token + 2, false) }
    let payload = token + Int(bytes.bigEndian(UInt16.self, at: token - 2)) + 2
    guard bytes.count >= payload else { return (payload, false) }
    return (payload + Int(bytes.bigEndian(UInt16.self, at: payload - 2)), true)
  }

  /// The frame's size in all: `74 bytes of a command 2 frame`.
  package var whole: String {
    "\(isExact ? "" : "at least ")\(expected) bytes of a command \(command) frame"
  }
}

extension UnfinishedFrame: CustomStringConvertible {
  /// `73 of 74 bytes of a command 2 frame`.
  package var description: String { "\(bytes) of \(whole)" }
}
