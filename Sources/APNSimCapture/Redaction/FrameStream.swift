import APNSimWire

/// Redacts the bytes of a provider on one connection, however they were cut: bytes are released once their frame is
/// whole, because only then the strings of its payload are known.
struct FrameStream {
  private let redactor: FrameRedactor
  /// A frame that is not whole yet, from its first byte on.
  private var frame: [UInt8] = []
  /// The number of its bytes that were released.
  private var given = 0
  /// Further bytes contain no frames, or the beginnings of frames are not known.
  private var isLost = false

  init(_ redactor: FrameRedactor) { self.redactor = redactor }

  /// A frame was begun elsewhere, with these bytes.
  mutating func begin(with bytes: [UInt8]) { (frame, given) = (bytes, bytes.count) }

  /// Takes the next bytes and returns those that are decided, the oldest first.
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

  /// Returns the undecided bytes, redacted by their place in the frame.
  mutating func give() -> [UInt8] {
    guard given < frame.count else { return [] }
    defer { given = frame.count }
    return Array(redactor.redact(frame).dropFirst(given))
  }

  /// Ends the frames, because the beginning of the next one is no longer known, and returns the undecided bytes.
  mutating func lose() -> [UInt8] {
    defer { (frame, given, isLost) = ([], 0, true) }
    return give()
  }

  /// The replacement of a byte that belongs to no frame.
  static let blot: UInt8 = 0xFF

  static func blots(_ count: Int) -> [UInt8] { [UInt8](repeating: blot, count: count) }
}
