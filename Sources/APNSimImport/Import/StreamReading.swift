import APNSimCore

/// Reads the streams of a packet capture that can be read several times: each reading gives the same events.
///
/// A damaged file is read up to the damage, which the importing reading reports.
struct StreamReading {
  /// The events of the segment that was read last.
  private(set) var events: [StreamEvent] = []
  /// The segment of these events; nil after the last one, when they are those of the capture's end.
  private(set) var segment: TCPSegment?

  private var reader: PacketParts
  private var table: ConversationTable
  private var fragments = FragmentTable()
  private var isOver = false
  /// The connections that are open at the capture's end, and those that began before its beginning.
  private(set) var open: Set<Conversation.Key> = []
  private(set) var joined: Set<Conversation.Key> = []
  private(set) var seen: Set<Conversation.Key> = []

  init(
    _ paths: [String],
    _ options: ImportOptions,
    foreseen: ForeseenConnections = ForeseenConnections()
  ) throws(ImportError) {
    reader = try PacketParts(paths)
    table = ConversationTable(
      rules: options.rules,
      limits: options.limits,
      acceptsTLS: true,
      foreseen: foreseen
    )
  }

  var tally: StreamTally { table.tally }
  var hasKeyLog: Bool { reader.hasKeyLog }
  /// The part of the file that has been read, from 0 to 1.
  var progress: Double { reader.progress ?? 1 }

  /// Takes what was read of the file's own key log since the last call.
  mutating func takeKeyLog() -> [UInt8] { reader.takeKeyLog() }

  /// Reads the next segment.
  /// - Returns: false after the last event.
  mutating func next() -> Bool {
    events.removeAll(keepingCapacity: true)
    guard !isOver else { return false }
    while let packet = try? reader.next() {
      guard case .segment(let segment) = fragments.take(PacketContent(packet)) else { continue }
      let key = Conversation.Key(segment)
      if seen.count < Self.mostSeen, seen.insert(key).inserted, !segment.flags.contains(.syn) {
        joined.insert(key)
      }
      table.receive(segment, into: &events)
      self.segment = segment
      return true
    }
    isOver = true
    segment = nil
    open = table.openConversations
    fragments.finish()
    table.finish(into: &events)
    return true
  }

  /// The most connections that are looked at for whether a capture continues another one.
  private static let mostSeen = 65_536
}
