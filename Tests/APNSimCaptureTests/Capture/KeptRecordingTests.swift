import Foundation
import Testing

@testable import APNSimCapture

@Suite struct `A kept recording` {
  @Test(arguments: KeptRecordings.names) func `a kept recording replays to itself, byte for byte`(
    name: String
  ) throws {
    let replay = try Replay(CaptureReader(path: KeptRecordings.folder.appendingPathComponent(name).path))
    let journal = ReplayedJournal(replay)
    #expect(replay.isExact)
    let result = replay.run()
    let first = result.firstDifference.map {
      "\($0.kind)\n\(String(decoding: $0.recorded, as: UTF8.self))\n\(String(decoding: $0.replayed, as: UTF8.self))"
    }
    #expect(first == nil)
    #expect(result.isSame && result.comparesJournal && result.damage == nil && !result.endsEarly)
    #expect(result.unknownKeys.isEmpty && result.unknownEvents.isEmpty && result.commands.unknown == 0)
    // Not `==` within the expectation, which would print both.
    let isSame = try journal.bytes == KeptRecordings.bytes(of: name)
    #expect(isSame)
  }

  @Test func `the list of the folder has each kept recording, one of each scenario and four runs`() throws {
    let found = try FileManager.default.subpathsOfDirectory(atPath: KeptRecordings.folder.path)
      .filter { $0.hasSuffix(".gz") }
    #expect(found.sorted() == KeptRecordings.names.sorted())
    #expect(KeptRecordings.names.count { $0.hasPrefix("scenarios/") } == 40)
    #expect(KeptRecordings.names.count { $0.hasPrefix("runs/") } == 4)
  }

  @Test(arguments: KeptRecordings.names.filter { $0.hasPrefix("runs/") })
  func `a kept recording of a run holds what a run can hold`(name: String) throws {
    let lines = try KeptRecordings.lines(of: name)
    func count(_ text: String) -> Int { lines.count { $0.contains(text) } }
    for event in [
      "notification", "errorSent", "faultFired", "feedbackRead", "command", "resent", "linesSent",
      "deviceOnline",
      "connectionArrived", "certificateJudged", "connectionRefused", "clockChanged", "bytesIn", "bytesOut",
      "replaced", "expired", "connectionClosed", "expectation", "historyCleared",
    ] {
      #expect(count(#""event":"\#(event)""#) > 0, "\(event)")
    }
    for command in 0...2 { #expect(count(#""command":\#(command),"#) > 50) }
    #expect(count(#""do":{"reset""#) == 1 && count(#""magic":true"#) > 0 && count(#""rule":"#) > 0)
    #expect(count(#""event":"connectionOpened""#) > 50)
  }
}
