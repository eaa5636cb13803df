internal import APNSimWire

/// The first line of a journal: what a replay needs to start from the same point.
package struct JournalHeader: Sendable {
  package static let version = 1
  package var seed: UInt64
  package var start: Timestamp
  package var isVirtual: Bool
  package var scenario: Scenario
  package var configuration: Configuration
  /// The first sequence number from which on nothing is missing; 1 for a journal from the very beginning.
  package var completeFrom: UInt64 = 1
  /// What the clock showed when the recording began.
  package var now: Timestamp

  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("apnsim")
    writer.string("journal")
    writer.key("version")
    writer.int(Self.version)
    writer.key("seed")
    writer.int(seed)
    writer.key("clock")
    writer.beginObject()
    writer.key("mode")
    writer.string(isVirtual ? "virtual" : "real")
    writer.key("start")
    writer.string(start.description)
    if completeFrom > 1 {
      writer.key("now")
      writer.string(now.description)
    }
    writer.endObject()
    if completeFrom > 1 {
      writer.key("completeFrom")
      writer.int(completeFrom)
    }
    writer.key("edition")
    writer.string(configuration.edition.rawValue)
    writer.key("settings")
    writer.beginObject()
    for setting in Setting.all {
      writer.key(setting.name)
      writer.string(setting.text(in: configuration))
    }
    writer.endObject()
    writer.key("scenario")
    scenario.write(to: &writer)
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
