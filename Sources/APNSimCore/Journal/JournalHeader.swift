internal import APNSimWire

/// The first line of a journal: what a replay needs to start from the same point.
package struct JournalHeader: Sendable {
  package static let version = 1
  package var seed: UInt64
  package var start: Timestamp
  package var isVirtual: Bool
  package var scenario: String
  package var configuration: Configuration

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
    writer.endObject()
    writer.key("scenario")
    writer.string(scenario)
    writer.key("edition")
    writer.string(configuration.edition.rawValue)
    writer.key("settings")
    writer.beginObject()
    for setting in Setting.all {
      writer.key(setting.name)
      writer.string(setting.text(in: configuration))
    }
    writer.endObject()
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
