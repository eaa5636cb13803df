/// Reads the packets of one capture, which may be in several files: the parts that `tcpdump -C` writes.
struct PacketParts {
  private var rest: ArraySlice<String>
  private var input: CaptureInput
  private var reader: PacketReader
  /// The key logs that were read of parts that are over.
  private var keyLog: [UInt8] = []
  private var hadKeyLog = false
  private let count: Int
  /// The number of parts that are over.
  private(set) var part = 0

  /// - Parameter input: the first part, which is open.
  init(_ input: CaptureInput, then rest: ArraySlice<String> = []) throws(ImportError) {
    (self.input, self.rest, count) = (input, rest, rest.count + 1)
    reader = try PacketReader(input)
  }

  init(_ paths: [String]) throws(ImportError) {
    try self.init(CaptureInput(path: paths.first ?? ""), then: paths.dropFirst())
  }

  /// The next packet; nil after the last part.
  /// - Throws: `ImportError` where a part breaks off or is damaged.
  mutating func next() throws(ImportError) -> CapturedPacket? {
    while true {
      if let packet = try reader.next() { return packet }
      guard let path = rest.popFirst() else { return nil }
      hadKeyLog = hasKeyLog
      keyLog += reader.takeKeyLog()
      part += 1
      input = try CaptureInput(path: path)
      reader = try PacketReader(input)
    }
  }

  var hasKeyLog: Bool { hadKeyLog || reader.hasKeyLog }

  /// Takes what was read of the key logs since the last call.
  mutating func takeKeyLog() -> [UInt8] {
    defer { keyLog = [] }
    return keyLog + reader.takeKeyLog()
  }

  /// The part of the files that has been read, from 0 to 1; nil where their size is not known.
  var progress: Double? { input.progress.map { (Double(part) + $0) / Double(count) } }
}
