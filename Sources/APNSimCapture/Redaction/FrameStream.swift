internal import APNSimWire

/// Redacts what a provider wrote on one connection, however it was cut: bytes are given out once their frame is whole,
/// because only then it shows which strings of its payload are to be filled.
struct FrameStream {
  private let redactor: FrameRedactor
  /// A frame that is not whole yet, from its first byte on.
  private var frame: [UInt8] = []
  /// How many of its bytes have been given out.
  private var given = 0
  /// No frames can be found in what comes, or it is not known where they begin.
  private var isLost = false

  init(_ redactor: FrameRedactor) { self.redactor = redactor }

  /// A frame was begun elsewhere, with these bytes.
  mutating func begin(with bytes: [UInt8]) { (frame, given) = (bytes, bytes.count) }

  /// Takes the next bytes and gives out those that are decided, the oldest first.
  mutating func receive(_ bytes: [UInt8]) -> [UInt8] {
    guard !isLost else { return Self.blots(bytes.count) }
    frame += bytes
    var output: [UInt8] = []
    var start = 0
    while let found = frame.withUnsafeBytes({ FrameDecoder.next(in: $0, from: start, mode: .reading) }) {
      output += redactor.redact(Array(frame[start..<found.end])).dropFirst(given)
      given = 0
      isLost = !found.hasEnd
      start = found.end
      if isLost {
        output += Self.blots(frame.count - start)
        start = frame.count
      }
    }
    frame.removeFirst(start)
    return output
  }

  /// Gives out what is not decided, by the place it has in its frame.
  mutating func give() -> [UInt8] {
    guard given < frame.count else { return [] }
    defer { given = frame.count }
    return Array(redactor.redact(frame).dropFirst(given))
  }

  /// Where the next frame would begin is no longer known; what is not decided is given out.
  mutating func lose() -> [UInt8] {
    defer { (frame, given, isLost) = ([], 0, true) }
    return give()
  }

  /// What stands for a byte that no frame could be made of.
  static let blot: UInt8 = 0xFF

  static func blots(_ count: Int) -> [UInt8] { [UInt8](repeating: blot, count: count) }
}
