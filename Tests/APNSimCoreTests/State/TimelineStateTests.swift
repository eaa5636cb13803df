import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A timeline that is kept` {
  private static func expectation(_ count: Int, _ text: String) -> APNSimCore.Expectation {
    APNSimCore.Expectation(subject: .stored(device: "bob"), count: .exactly(count), text: text)
  }

  private static let entries = [
    TimelineEntry(at: .minutes(1), action: .perform(.clearRules)),
    TimelineEntry(at: .minutes(2), action: .expect(expectation(1, "one"))),
    TimelineEntry(at: .minutes(2), action: .expect(expectation(2, "two"))),
    TimelineEntry(at: .minutes(3), action: .expect(expectation(1, "one"))),
  ]

  private static var timeline: Timeline {
    var timeline = Timeline(entries)
    for (place, (count, text)) in [(2, "two"), (1, "one"), (1, "one")].enumerated() {
      timeline.note(
        APNSimCore.Expectation.Result(
          expectation: expectation(count, text),
          isSatisfied: place == 1,
          found: place,
          missed: 7,
          time: Moment.start + .minutes(Int64(place)),
          nearMisses: [
            NearMiss(
              id: "n5",
              differences: [
                Query.Difference(path: "payload.aps.badge", expected: "3", actual: .number("2")),
                Query.Difference(path: "payload.aps.sound", expected: "\"a\"", actual: nil),
              ]
            )
          ]
        )
      )
    }
    timeline.note(TimelineFailure(time: Moment.start, reason: "there is no device \"nobody\""))
    return timeline
  }

  private static func bytes(_ timeline: Timeline) -> [UInt8] { StateBytes.of { timeline.write(to: &$0) } }

  @Test func `a timeline that is kept has the same results and failures, and goes on`() throws {
    var timeline = Self.timeline
    let bytes = Self.bytes(timeline)
    var known = try StateBytes.read(bytes) { try Timeline(reading: &$0, entries: Self.entries) }
    #expect(known.results == timeline.results && known.failures == timeline.failures)
    #expect(known.entries == timeline.entries)
    #expect(Self.bytes(known) == bytes)
    let failure = TimelineFailure(time: Moment.start, reason: "later")
    known.note(failure)
    timeline.note(failure)
    #expect(Self.bytes(known) == Self.bytes(timeline))
  }

  @Test func `a timeline that is kept is refused without its end, and with another scenario's entries`()
    throws
  {
    let bytes = Self.bytes(Self.timeline)
    StateBytes.expectNoPrefix(of: bytes) { try Timeline(reading: &$0, entries: Self.entries) }
    for count in 0..<3 {
      #expect(throws: StateError.self) {
        try StateBytes.read(bytes) { try Timeline(reading: &$0, entries: Array(Self.entries.prefix(count))) }
      }
    }
  }
}
