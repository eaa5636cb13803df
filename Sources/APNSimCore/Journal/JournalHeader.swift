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
  /// The clock's time when the recording began.
  package var now: Timestamp

  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("apnsim", "journal")
    writer.member("version", Self.version)
    writer.member("seed", seed)
    writer.key("clock")
    writer.beginObject()
    writer.member("mode", isVirtual ? "virtual" : "real")
    writer.member("start", start.description)
    if completeFrom > 1 {
      writer.member("now", now.description)
    }
    writer.endObject()
    if completeFrom > 1 {
      writer.member("completeFrom", completeFrom)
    }
    writer.member("edition", configuration.edition.rawValue)
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
