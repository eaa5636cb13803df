import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimCapture

@Suite struct `A notification's line read along its keys` {
  /// The journals of the scenarios that ship: every key that such a line can have.
  private static let journals = Result {
    try Fixtures.scenarios.map { file in
      let journal = JournalBytes()
      let script = try ScenarioFile.loadScript(file.path)
      _ = try ScenarioRunner(script, recorder: journal).run()
      return journal.bytes
    }
  }

  @Test func `a line read along its keys says what its members say, and nothing is written otherwise`() throws
  {
    var keys: Set<String> = []
    var count = 0
    for journal in try Self.journals.get() {
      let reader = try CaptureReader(name: "journal", bytes: journal)
      var line = NotificationLine()
      while let isNotification = reader.advance(&line) {
        let frame = isNotification ? Self.frame(line) : nil
        let entry = try #require(reader.present())
        guard case .bytesIn(let id, let bytes, _, let facts?) = entry.kind else {
          #expect(!isNotification)
          continue
        }
        // A request's line has keys of its own, and is read by its members.
        var isRequest = false
        reader.withLine { fields, _ in isRequest = fields.equals("interface", "http2") }
        if isRequest {
          #expect(!isNotification)
          continue
        }
        try #require(isNotification, "the simulator writes such a line in another order of keys")
        count += 1
        #expect(line.connection == id && line.facts == facts && line.time == entry.time && frame == bytes)
        reader.withLine { _, text in
          for member in (try? JSONValue.parse(text))?.objectValue ?? [] { keys.insert(member.key) }
        }
      }
    }
    #expect(count > 100)
    let rare = ["token", "identifier", "device", "status", "check", "rule", "magic", "replaced"]
    #expect(keys.isSuperset(of: rare))
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a damaged line read along its keys says what its members say, or nothing`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = try Self.journals.get().flatMap { $0.split(separator: 0x0A) }
      .filter { $0.firstRange(of: Array(#""event":"notification""#.utf8)) != nil }
    var accepted = 0
    for line in lines {
      var damaged = Array(line)
      let place = Int.random(in: 0..<damaged.count, using: &generator)
      damaged[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
      if Bool.random(using: &generator) { damaged.removeLast(Int.random(in: 0..<3, using: &generator)) }
      let text = Array(#"{"apnsim":"journal","version":1}"#.utf8) + [0x0A] + damaged
      let reader = try CaptureReader(name: "journal", bytes: text)
      var found = NotificationLine()
      guard reader.advance(&found) == true, let frame = Self.frame(found) else { continue }
      guard case .bytesIn(let id, let bytes, _, let facts?)? = reader.present()?.kind else {
        Issue.record("\(String(decoding: damaged, as: UTF8.self))")
        continue
      }
      accepted += 1
      #expect(found.connection == id && found.facts == facts && frame == bytes)
    }
    #expect(accepted > 0)
  }

  private static func frame(_ line: NotificationLine) -> [UInt8]? {
    var bytes: [UInt8] = []
    return Base64.decode(line.raw, into: &bytes) ? bytes : nil
  }
}

private final class JournalBytes: JournalRecorder, @unchecked Sendable {
  private(set) var bytes: [UInt8] = []
  func record(_ lines: UnsafeRawBufferPointer) { bytes.append(contentsOf: lines) }
}
