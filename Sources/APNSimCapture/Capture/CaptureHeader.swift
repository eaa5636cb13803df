package import APNSimCore
import APNSimScenario
import APNSimWire

/// The first line of a capture: its origin, and the state of the simulator that recorded it.
package struct CaptureHeader: Sendable {
  /// The format's version; a reader refuses a larger one.
  package var version = JournalHeader.version
  /// The origin of an imported capture; nil for a journal that a simulator recorded.
  package var source: CaptureSource?
  package var seed: UInt64?
  package var isVirtual = false
  package var start: Timestamp?
  /// The generation of outcomes.
  package var rules = OutcomeRules.current
  /// The settings of the core, by name.
  package var settings: [SettingAssignment] = []
  /// The scenario at the start, as the JSON of a scenario file; nil where only its name is known.
  package var scenario: [UInt8]?
  package var scenarioName = ""
  /// The first sequence number that follows without a gap; 1 for a journal from the very beginning.
  package var completeFrom: UInt64 = 1
  /// True for a part of a recording that goes on where another part ends.
  package var continues = false
  /// True where tokens are pseudonyms and payloads are filled.
  package var isRedacted = false
  /// Keys that this program does not know, and settings: `settings.colour`.
  package var unknownKeys: [String] = []

  package init() {}

  /// The header's member of a redacted capture, with its comma.
  static let redactedMember = Array(#""redacted":true,"#.utf8)

  /// The keys that this program reads or writes.
  private static let keys: Set<String> = [
    "apnsim", "version", "source", "seed", "clock", "completeFrom", "continues", "redacted", "edition",
    "rules",
    "settings", "scenario",
  ]

  /// True where a replay can come to the same state: recorded from the beginning, with everything that it needs.
  package var isComplete: Bool {
    source == nil && completeFrom == 1 && seed != nil && start != nil && scenario != nil
  }
}

/// The origin of an imported capture.
package struct CaptureSource: Hashable, Sendable {
  /// `raw`, `hex`, `pcap`, `pcapng`, `journal`, `mixed` or `unknown`.
  package var kind: String
  /// The file's name, without its folder.
  package var name: String

  package init(kind: String, name: String) {
    self.kind = kind
    self.name = name
  }
}

extension CaptureHeader {
  /// The error of a line that is no header.
  struct Failure: Error {
    /// True where the file is a journal all the same.
    var isJournal: Bool
    var reason: String
  }

  /// Reads the first line.
  /// - Throws: what was expected and found.
  init(_ line: UnsafeRawBufferPointer) throws(Failure) {
    func refuse(_ reason: String, isJournal: Bool = true) -> Failure {
      Failure(isJournal: isJournal, reason: reason)
    }
    var fields = LineFields()
    do throws(LineFields.Failure) {
      try fields.read(line)
    } catch {
      let isCut = line.starts(with: #"{"apnsim":"journal""#.utf8)
      throw refuse(
        isCut
          ? "is damaged in its first line, the header of the journal (\(error))"
          : "is no journal: its first line is not a JSON object (\(error))",
        isJournal: isCut
      )
    }
    guard fields.equals("apnsim", "journal") else {
      let isEvent = fields.raw("seq") != nil && fields.raw("event") != nil
      throw refuse(
        isEvent
          ? #"lacks its first line, the header {"apnsim":"journal","version":1,…}; found an event"#
          : #"is no journal: its first line does not begin with {"apnsim":"journal""#,
        isJournal: isEvent
      )
    }
    guard let version = fields.int("version").flatMap({ Int(exactly: $0) }), version >= 1 else {
      throw refuse(#"is a journal without a version: its first line has no "version" from 1 on"#)
    }
    guard version <= JournalHeader.version else {
      throw refuse(
        """
        is a journal of version \(version), of a newer apnsim; this one reads up to version \(JournalHeader.version): \
        update it
        """
      )
    }
    self.version = version
    seed = fields.value("seed").flatMap { value in
      if case .number(let digits) = value { UInt64(digits) } else { nil }
    }
    if let clock = fields.value("clock") {
      isVirtual = clock.member("mode")?.stringValue == "virtual"
      start = clock.member("start")?.stringValue.flatMap { Timestamp($0) }
    }
    rules = try Self.rules(fields.value("rules"), refuse: { refuse($0) })
    unknownKeys = fields.keys(notIn: Self.keys)
    for member in fields.value("settings")?.objectValue ?? [] {
      if Setting.named(member.key) == nil { unknownKeys.append("settings.\(member.key)") }
      if let text = member.value.stringValue {
        settings.append(SettingAssignment(name: member.key, text: text))
      }
    }
    if let object = fields.raw("scenario"), object.first == UInt8(ascii: "{") {
      scenario = Array(object)
      scenarioName = fields.value("scenario")?.member("name")?.stringValue ?? ""
    } else {
      scenarioName = fields.string("scenario") ?? ""
    }
    // No event has a lower number.
    completeFrom = max(1, fields.int("completeFrom").flatMap { UInt64(exactly: $0) } ?? 1)
    continues = fields.value("continues") == .bool(true)
    isRedacted = fields.value("redacted") == .bool(true)
    if let found = fields.value("source") {
      source = CaptureSource(
        kind: found.member("kind")?.stringValue ?? "unknown",
        name: found.member("name")?.stringValue ?? ""
      )
    }
  }

  private static func rules(
    _ value: JSONValue?,
    refuse: (String) -> Failure
  ) throws(Failure) -> OutcomeRules {
    if let value, value.intValue == nil {
      throw refuse(#"is a journal whose first line has "rules" that are no number"#)
    }
    do throws(OutcomeRules.Unknown) {
      return try OutcomeRules(named: value?.intValue.map { Int(clamping: $0) })
    } catch {
      throw refuse("\(error)")
    }
  }

  /// The header line of an imported capture; `JournalHeader` writes a simulator's.
  package var importedLine: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("apnsim", "journal")
    writer.member("version", version)
    if let source {
      writer.key("source")
      writer.beginObject()
      writer.member("kind", source.kind)
      writer.member("name", source.name)
      writer.endObject()
    }
    if let start {
      writer.key("clock")
      writer.beginObject()
      writer.member("mode", "real")
      writer.member("start", start.description)
      writer.endObject()
    }
    rules.writeMember(to: &writer)
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
