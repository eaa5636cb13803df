import APNSimWire

/// The first line of a journal: what a replay needs to start from the same point.
package struct JournalHeader: Sendable {
  package static let version = 1
  package var seed: UInt64
  package var start: Timestamp
  package var isVirtual: Bool
  package var scenario: Scenario
  package var configuration: Configuration
  /// The first sequence number from which on nothing is missing; 1 for a journal from the very beginning.
  package var completeFrom: UInt64
  /// True for a later part of a recording: the lines before `completeFrom` are in the parts before it.
  package var continues = false
  /// The clock's time when the recording began.
  package var now: Timestamp
  /// The settings that the header names.
  package var settings = Setting.all

  package init(
    seed: UInt64,
    start: Timestamp,
    isVirtual: Bool,
    scenario: Scenario,
    configuration: Configuration,
    completeFrom: UInt64 = 1,
    now: Timestamp
  ) {
    self.seed = seed
    self.start = start
    self.isVirtual = isVirtual
    self.scenario = scenario
    self.configuration = configuration
    self.completeFrom = completeFrom
    self.now = now
  }

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
    if continues { writer.member("continues", true) }
    writer.member("edition", configuration.edition.rawValue)
    configuration.rules.writeMember(to: &writer)
    writer.key("settings")
    writer.beginObject()
    let defaults = Configuration()
    for setting in settings {
      let text = setting.text(in: configuration)
      if setting.isOmittedAtDefault, text == setting.text(in: defaults) { continue }
      writer.key(setting.name)
      writer.string(text)
    }
    writer.endObject()
    writer.key("scenario")
    scenario.write(to: &writer)
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
