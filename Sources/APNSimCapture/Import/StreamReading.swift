internal import APNSimCore

/// Reads the streams of a packet capture that can be read again: each reading tells the same.
///
/// A damaged file is read up to the damage, of which the reading that imports it speaks.
struct StreamReading {
  /// What the segment that was read last has brought to light.
  private(set) var events: [StreamEvent] = []
  /// That segment; nil behind the last one, where the end of the capture brings the rest to light.
  private(set) var segment: TCPSegment?

  private let input: CaptureInput
  private var reader: PacketReader
  private var table: ConversationTable
  private var fragments = FragmentTable()
  private var isOver = false

  init(
    _ path: String,
    _ options: ImportOptions,
    foreseen: ForeseenConnections = ForeseenConnections()
  ) throws(ImportError) {
    input = try CaptureInput(path: path)
    reader = try PacketReader(input)
    table = ConversationTable(
      rules: options.rules,
      limits: options.limits,
      acceptsTLS: true,
      foreseen: foreseen
    )
  }

  var tally: StreamTally { table.tally }
  var hasKeyLog: Bool { reader.hasKeyLog }
  /// How much of the file has been read, from 0 to 1.
  var progress: Double { input.progress ?? 1 }

  /// Hands out what has been read of the file's own key log since it was last asked for.
  mutating func takeKeyLog() -> [UInt8] { reader.takeKeyLog() }

  /// Reads the next segment.
  /// - Returns: false once there is nothing more.
  mutating func next() -> Bool {
    events.removeAll(keepingCapacity: true)
    guard !isOver else { return false }
    while let packet = try? reader.next() {
      guard case .segment(let segment) = fragments.take(PacketContent(packet)) else { continue }
      table.receive(segment, into: &events)
      self.segment = segment
      return true
    }
    isOver = true
    segment = nil
    fragments.finish()
    table.finish(into: &events)
    return true
  }
}
