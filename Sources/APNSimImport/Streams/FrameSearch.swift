import APNSimWire

/// Finds the beginning of a frame after missing bytes, or in a connection that was open before the capture.
///
/// Nothing in a stream marks a frame, but little else looks like one: a command, a token of a likely length, and a
/// payload that is JSON, all of whose lengths agree. A notification that is refused for its payload is passed over.
struct FrameSearch {
  /// The bytes that may be the beginning of a frame.
  private(set) var held: [UInt8] = []

  enum Step: Equatable {
    /// No frame so far, and none begins in these bytes.
    case passed([UInt8])
    /// After the first of these bytes, a frame begins with the second.
    case found(passed: [UInt8], frames: [UInt8])
  }

  /// The longest frame that was ever accepted: 2,048 bytes of payload, 4,096 for VoIP, and a token of at most 100.
  private static let longest = 4400

  private enum Look {
    case none
    case undecided
    case frame
  }

  /// Takes the next bytes of the provider.
  mutating func receive(_ bytes: [UInt8]) -> Step {
    held += bytes
    var undecided: Int?
    for place in held.indices where held[place] <= 2 {
      switch held.withUnsafeBytes({ Self.look(UnsafeRawBufferPointer(rebasing: $0[place...])) }) {
      case .none: continue
      case .undecided: undecided = undecided ?? place
      case .frame:
        defer { held = [] }
        return .found(passed: Array(held[..<place]), frames: Array(held[place...]))
      }
    }
    let passed = Array(held[..<(undecided ?? held.count)])
    held.removeFirst(passed.count)
    return .passed(passed)
  }

  /// Judges whether a frame begins at the first of these bytes.
  private static func look(_ bytes: UnsafeRawBufferPointer) -> Look {
    guard let frame = FrameDecoder.next(in: bytes, from: 0, mode: .reading) else {
      return mayBecome(bytes) ? .undecided : .none
    }
    guard frame.form == .complete, frame.end <= longest, (1...100).contains(frame.tokenLength) else {
      return .none
    }
    let payload = UnsafeRawBufferPointer(rebasing: bytes[frame.payload])
    let problem = PayloadJudge.judge(payload).problem
    return !payload.isEmpty && problem.isJSON && problem.category != .root ? .frame : .none
  }

  /// True for bytes that are no whole frame yet and can be the beginning of one.
  private static func mayBecome(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let header = bytes[0] == 2 ? 5 : bytes[0] == 1 ? 9 : 1
    guard bytes.count >= header + 2 else { return true }
    let length = Int(bytes[header]) << 8 | Int(bytes[header + 1])
    if bytes[0] == 2 {
      let frame = bytes[1..<5].reduce(0) { $0 << 8 | Int($1) }
      return frame > 0 && frame <= longest && (1...5).contains(bytes[5])
    }
    guard (1...100).contains(length) else { return false }
    let payload = header + 2 + length
    guard bytes.count >= payload + 2 else { return true }
    let rest = Int(bytes[payload]) << 8 | Int(bytes[payload + 1])
    guard rest > 0, payload + 2 + rest <= longest else { return false }
    guard bytes.count > payload + 2 else { return true }
    // A payload is an object, perhaps after white space.
    return [0x7B, 0x20, 0x09, 0x0A, 0x0D].contains(bytes[payload + 2])
  }
}
